import type { Logger } from "pino";
import type { PlainRoute } from "../../api/plain-route.js";
import { LOCAL_ISSUER } from "../../auth/tokens/local-issuer.js";
import { oauthRoutes } from "../../oauth/oauth-routes.js";
import type { Exchanged } from "../../oauth/token-exchange.js";
import { OAuthError } from "../../oauth/token-request.js";
import type { ServerParts } from "../server-parts.js";

/** Returns the local issuer's OAuth routes, for the app-integrity service. Empty if the local issuer is off. */
export function tokenRoutes({
  config,
  localIssuer,
  scopeNames,
  clock,
  addresses,
  logger,
}: Pick<
  ServerParts,
  "config" | "localIssuer" | "scopeNames" | "clock" | "addresses" | "logger"
>): PlainRoute[] {
  if (localIssuer === undefined) return [];
  const lifetime = config.messagingData.emulation?.tokenLifetime;
  return oauthRoutes({
    issuer: localIssuer,
    scopeNames,
    clock,
    maxLifeSeconds: lifetime && Math.floor(lifetime / 1_000),
    baseUrl: () => addresses.expectedUrl("integrity") ?? LOCAL_ISSUER,
    basePath: addresses.publicPath("integrity"),
    observe: (requestId, outcome) => logTokenRequest(logger, requestId, outcome),
  });
}

/** Logs a token request: the principal and credential if a token was issued, or else the reason for the rejection. */
function logTokenRequest(logger: Logger, requestId: string, outcome: Exchanged | OAuthError): void {
  if (outcome instanceof OAuthError) {
    logger.info({ requestId, error: outcome.code, problem: outcome.message }, "rejected a token request");
    return;
  }
  const { subject, response } = outcome;
  const { principal, id: credential } = subject;
  const { scope, expires_in: expiresInSeconds } = response;
  logger.info({ requestId, principal, credential, scope, expiresInSeconds }, "issued an access token");
}
