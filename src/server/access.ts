import type { DescService } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import { AccessControl } from "../auth/access-control.js";
import { Authenticator, type TrustedIssuer } from "../auth/authenticator.js";
import { type AdmitTo, type AuthorizedCall, CallAuthorizer } from "../auth/call-authorizer.js";
import { fileKeys, fixedKeys, remoteKeys } from "../auth/key-source.js";
import { LOCAL_ISSUER, openLocalIssuer } from "../auth/local-issuer.js";
import { RateLimiter } from "../auth/rate-limiter.js";
import { ScopeNames } from "../auth/scopes.js";
import type { RegisteredProject, StaticRegistry } from "../store/static/static-registry.js";
import { ApiError } from "../transcoding/api-error.js";
import { decodeSegment } from "../transcoding/percent-decoding.js";
import type { Admission, Authorize } from "../transcoding/service.js";
import type { Config } from "./config-schema.js";

/** Who calls, and in which project. */
export type Access = AuthorizedCall<RegisteredProject>;

/** Makes the check that every call passes before its parameters are looked at. */
export async function createAuthorize(
  config: Config,
  registry: StaticRegistry,
  services: readonly DescService[],
  logger: Logger,
): Promise<Authorize<Access>> {
  const scopeNames = new ScopeNames(config.auth.scopeBase);
  const { requestsPerMinute } = config.quota;
  const authorizer = new CallAuthorizer<RegisteredProject>(services, {
    authenticator: new Authenticator(await trustedIssuers(config), {
      scopeNames,
      onLoadError: (issuer, error) =>
        logger.warn({ issuer, err: error }, "the keys of an issuer cannot be loaded"),
    }),
    scopeNames,
    accessControl: new AccessControl(config.access, (name) => registry.project(name)),
    rateLimiter: requestsPerMinute === undefined ? undefined : new RateLimiter(requestsPerMinute),
  });
  return (method, authorization) => {
    const admitting = authorizer.authorize(method, authorization);
    return admitting instanceof Promise ? admitting.then(byCaptures) : byCaptures(admitting);
  };
}

const byCaptures =
  (admitTo: AdmitTo<RegisteredProject>): Admission<Access> =>
  (captures) =>
    admitTo(projectOf(captures));

/** Every resource of both services lies below a project: `projects/*`, decoded apart from the rest of the path. */
function projectOf(captures: ReadonlyMap<string, string>): string {
  for (const [field, text] of captures) {
    const [collection, project] = text.split("/");
    if (collection !== "projects" || project === undefined) continue;
    const name = decodeSegment(project);
    if (name !== undefined) return name;
    throw ApiError.invalidArgument("MALFORMED_PATH", field, "its project is not percent-encoded UTF-8");
  }
  throw new Error("the route names no project");
}

async function trustedIssuers({ auth, dataDir }: Config): Promise<TrustedIssuer[]> {
  const local = auth.localIssuer
    ? [{ issuer: LOCAL_ISSUER, keys: fixedKeys((await openLocalIssuer(dataDir)).jwks()) }]
    : [];
  const others = auth.issuers.map(({ issuer, jwksUri, jwksFile, audience }) => ({
    issuer,
    keys: jwksFile === undefined ? remoteKeys(jwksUri ?? "") : fileKeys(jwksFile),
    audience,
  }));
  return [...local, ...others];
}
