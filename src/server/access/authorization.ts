import type { DescService } from "@bufbuild/protobuf";
import type { Caller } from "../../api/caller.js";
import type { Authorize } from "../../api/service.js";
import { AccessControl } from "../../auth/access-control.js";
import { CallAuthorizer } from "../../auth/call-authorizer.js";
import { RateLimiter } from "../../auth/rate-limiter.js";
import {
  Authenticator,
  type IntrospectionSource,
  type TrustedIssuer,
} from "../../auth/tokens/authenticator.js";
import { remoteIntrospection, secretOfFile } from "../../auth/tokens/introspection-endpoint.js";
import { fileKeys, fixedKeys, type KeySource, remoteKeys } from "../../auth/tokens/key-source.js";
import { LOCAL_ISSUER, type LocalIssuer } from "../../auth/tokens/local-issuer.js";
import { systemReason } from "../../model/system-error.js";
import type { RegistryFile } from "../../registry/registry.js";
import { isLocalIssuer } from "../config/config.js";
import type { Config } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";
import type { ServerParts } from "../server-parts.js";

/** Authorization of a server's calls. */
export interface Authorization {
  /** Authorizes a call before its parameters are read. */
  readonly authorize: Authorize<Caller>;
  /**
   * Adds the app-integrity service's address as a name of the local issuer. Call it once the address is known.
   *
   * @throws ConfigError if another issuer has this name.
   */
  nameLocalIssuer(): void;
}

/**
 * Loads the keys and secrets that authorize calls of these services.
 *
 * @throws ConfigError if a secret cannot be read.
 */
export async function openAuthorization(
  parts: Pick<
    ServerParts,
    "config" | "registry" | "addresses" | "scopeNames" | "localIssuer" | "logger" | "clock"
  >,
  services: readonly DescService[],
): Promise<Authorization> {
  const { config, registry, addresses, scopeNames, localIssuer, logger, clock } = parts;
  const { requestsPerMinute } = config.quota;
  const authenticator = new Authenticator(await trustedIssuers(config, localIssuer), {
    scopeNames,
    clock,
    onLoadError: (issuer, error) => logger.warn({ issuer, err: error }, "cannot load issuer keys"),
  });
  const authorizer = new CallAuthorizer(services, {
    authenticator,
    scopeNames,
    accessControl: new AccessControl(registry),
    appLimiters: {
      network: new RateLimiter(config.integrity.attestation.requestsPerMinute, clock),
      app: new RateLimiter(config.integrity.attestation.requestsPerMinuteOfApp, clock),
    },
    rateLimiter: requestsPerMinute === undefined ? undefined : new RateLimiter(requestsPerMinute, clock),
  });
  return {
    authorize: authorizer.authorize,
    nameLocalIssuer: () => {
      const name = addresses.expectedUrl("integrity");
      if (localIssuer === undefined || name === undefined) return;
      try {
        authenticator.addIssuerName(LOCAL_ISSUER, name);
      } catch (cause) {
        throw new ConfigError(`auth.issuers: ${(cause as Error).message}, the local one`, { cause });
      }
    },
  };
}

/** Returns the registry entries in the config. {@link LOCAL_ISSUER} replaces other names of the local issuer. */
export const registryFile = (config: Config): RegistryFile => ({
  projects: config.projects,
  access: config.access.map((rule) =>
    isLocalIssuer(config, rule.issuer) ? { ...rule, issuer: LOCAL_ISSUER } : rule,
  ),
});

/**
 * Returns the local issuer, if enabled, and the configured issuers.
 *
 * @throws ConfigError if a secret cannot be read.
 */
async function trustedIssuers(
  { auth, messagingData }: Pick<Config, "auth" | "messagingData">,
  localIssuer: LocalIssuer | undefined,
): Promise<TrustedIssuer[]> {
  // An emulated lifetime ends to the second, so that tests see clients renew their tokens.
  const leewaySeconds = messagingData.emulation?.tokenLifetime === undefined ? undefined : 0;
  const local =
    localIssuer === undefined
      ? []
      : [{ issuer: LOCAL_ISSUER, keys: fixedKeys(localIssuer.jwks()), leewaySeconds }];
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
  const { introspectionUrl, clientId = "", clientSecret = "", clientSecretFile } = given;
  if (introspectionUrl === undefined) return undefined;
  const secret = () =>
    clientSecretFile === undefined ? Promise.resolve(clientSecret) : secretOfFile(clientSecretFile);
  await secret().catch((cause: Error) => {
    throw new ConfigError(
      `${path}.clientSecretFile: cannot be read: ${systemReason(cause) ?? cause.message}`,
      { cause },
    );
  });
  const endpoint = remoteIntrospection(introspectionUrl, { clientId, clientSecret: secret });
  return { endpoint, cacheMs: given.introspectionCache, perSecond: given.introspectionsPerSecond };
}
