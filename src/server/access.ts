import type { DescService } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import type { Caller } from "../api/caller.js";
import type { PlainRoute } from "../api/plain-route.js";
import type { Authorize } from "../api/service.js";
import { AccessControl, type AccessRule } from "../auth/access-control.js";
import { CallAuthorizer } from "../auth/call-authorizer.js";
import { RateLimiter } from "../auth/rate-limiter.js";
import { ScopeNames } from "../auth/scopes.js";
import { Authenticator, type IntrospectionSource, type TrustedIssuer } from "../auth/tokens/authenticator.js";
import { remoteIntrospection, secretOfFile } from "../auth/tokens/introspection-endpoint.js";
import { fileKeys, fixedKeys, type KeySource, remoteKeys } from "../auth/tokens/key-source.js";
import { LOCAL_ISSUER, type LocalIssuer, openLocalIssuer } from "../auth/tokens/local-issuer.js";
import { FileKeyStore } from "../control/file/file-key-store.js";
import type { StaticRegistry } from "../control/file/static-registry.js";
import type { Clock } from "../model/clock.js";
import { OAuthError } from "../oauth/oauth-error.js";
import { oauthRoutes } from "../oauth/oauth-routes.js";
import type { Exchanged } from "../oauth/token-exchange.js";
import { ConfigError, isLocalIssuer } from "./config/config.js";
import type { Config } from "./config/config-schema.js";
import { configuredIntegrityUrl } from "./integrity-url.js";

/** Access control of a server, and the routes that give callers their tokens. */
export interface OpenAccess {
  /** Authorizes a call before its parameters are read. */
  readonly authorize: Authorize<Caller>;
  /**
   * OAuth routes of the local issuer, served by the app-integrity service; empty if the local issuer is off.
   */
  readonly plainRoutes: readonly PlainRoute[];
  /**
   * Makes the address of the app-integrity service a name of the local issuer. The configured address wins
   * over `listeningOn`, which is unknown if the service runs in another process.
   */
  nameLocalIssuer(listeningOn: string | undefined): void;
}

/**
 * Loads the keys and secrets that authorize calls.
 *
 * @throws ConfigError or KeyError if one cannot be read.
 */
export async function openAccess(
  config: Config,
  registry: StaticRegistry,
  services: readonly DescService[],
  logger: Logger,
  clock: Clock,
): Promise<OpenAccess> {
  const scopeNames = new ScopeNames(config.auth.scopeBase);
  const { requestsPerMinute } = config.quota;
  const localIssuer = config.auth.localIssuer
    ? await openLocalIssuer(new FileKeyStore(config.dataDir), clock)
    : undefined;
  const authenticator = new Authenticator(await trustedIssuers(config, localIssuer), {
    scopeNames,
    clock,
    onLoadError: (issuer, error) =>
      logger.warn({ issuer, err: error }, "the keys of an issuer cannot be loaded"),
  });
  const authorizer = new CallAuthorizer(services, {
    authenticator,
    scopeNames,
    accessControl: new AccessControl(accessRules(config), registry),
    rateLimiter: requestsPerMinute === undefined ? undefined : new RateLimiter(requestsPerMinute, clock),
  });
  let issuerName: string = LOCAL_ISSUER;
  return {
    authorize: (method, authorization) => authorizer.authorize(method, authorization),
    plainRoutes:
      localIssuer === undefined
        ? []
        : oauthRoutes({
            issuer: localIssuer,
            scopeNames,
            clock,
            baseUrl: () => issuerName,
            basePath: new URL(config.integrityUrl ?? "http://any").pathname.replace(/\/$/, ""),
            observe: (requestId, outcome) => logTokenRequest(logger, requestId, outcome),
          }),
    nameLocalIssuer: (listeningOn) => {
      const name = config.integrityUrl ?? listeningOn ?? configuredIntegrityUrl(config);
      if (localIssuer === undefined || name === undefined) return;
      try {
        authenticator.addIssuerName(LOCAL_ISSUER, name);
      } catch (cause) {
        throw new ConfigError(`auth.issuers: ${(cause as Error).message}: the local one`, { cause });
      }
      issuerName = name;
    },
  };
}

/** Logs the principal and credential of an issued token, or the reason for a refusal. */
function logTokenRequest(logger: Logger, requestId: string, outcome: Exchanged | OAuthError): void {
  if (outcome instanceof OAuthError) {
    logger.info({ requestId, error: outcome.code, problem: outcome.message }, "no access token was issued");
    return;
  }
  const { subject, answer } = outcome;
  const { principal, id: credential } = subject;
  const { scope, expires_in: expiresInSeconds } = answer;
  logger.info({ requestId, principal, credential, scope, expiresInSeconds }, "an access token was issued");
}

/** The configured rules, with {@link LOCAL_ISSUER} in place of any other name of the local issuer. */
const accessRules = (config: Config): AccessRule[] =>
  config.access.map((rule) =>
    isLocalIssuer(config, rule.issuer) ? { ...rule, issuer: LOCAL_ISSUER } : rule,
  );

async function trustedIssuers(
  { auth }: Config,
  localIssuer: LocalIssuer | undefined,
): Promise<TrustedIssuer[]> {
  const local =
    localIssuer === undefined ? [] : [{ issuer: LOCAL_ISSUER, keys: fixedKeys(localIssuer.jwks()) }];
  const others = await Promise.all(
    auth.issuers.map(async (given, index) => ({
      issuer: given.issuer,
      keys: keysOf(given),
      introspection: await introspectionOf(given, `auth.issuers[${index}]`),
      audience: given.audience,
    })),
  );
  return [...local, ...others];
}

type ConfiguredIssuer = Config["auth"]["issuers"][number];

function keysOf({ jwksUri, jwksFile }: ConfiguredIssuer): KeySource | undefined {
  if (jwksFile !== undefined) return fileKeys(jwksFile);
  return jwksUri === undefined ? undefined : remoteKeys(jwksUri);
}

/** @throws ConfigError if the secret's file cannot be read now. The file may be replaced later. */
async function introspectionOf(
  given: ConfiguredIssuer,
  path: string,
): Promise<IntrospectionSource | undefined> {
  const { introspectionUrl, clientId = "", clientSecret = "", clientSecretFile, introspectionCache } = given;
  if (introspectionUrl === undefined) return undefined;
  const secret = () =>
    clientSecretFile === undefined ? Promise.resolve(clientSecret) : secretOfFile(clientSecretFile);
  await secret().catch((cause: Error) => {
    throw new ConfigError(`${path}.clientSecretFile: cannot be read: ${cause.message}`, { cause });
  });
  const endpoint = remoteIntrospection(introspectionUrl, { clientId, clientSecret: secret });
  return { endpoint, cacheMs: introspectionCache };
}
