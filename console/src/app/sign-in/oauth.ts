import * as oauth from "oauth4webapi";
import { type OAuthConfig, pageUrl } from "#console/api/console-config.js";
import { keepPendingSignIn, type OAuthCallback } from "./pending-sign-in.js";

/** Redirects to the authorization server: authorization code with PKCE (RFC 6749 §4.1, RFC 7636). */
export async function beginSignIn(config: OAuthConfig, query: string): Promise<void> {
  const server = await discover(config);
  if (server.authorization_endpoint === undefined) {
    throw new Error(`The metadata of ${config.issuer} has no authorization_endpoint`);
  }
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: config.clientId,
    redirect_uri: pageUrl(),
    scope: config.scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  keepPendingSignIn({ state, codeVerifier, query });
  window.location.assign(url);
}

/** Exchanges the returned code for an access token. @throws Error if the exchange fails. */
export async function finishSignIn(config: OAuthConfig, callback: OAuthCallback): Promise<string> {
  const { parameters, pending } = callback;
  const server = await discover(config);
  const client: oauth.Client = { client_id: config.clientId };
  const code = oauth.validateAuthResponse(server, client, parameters, pending.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    code,
    pageUrl(),
    pending.codeVerifier,
    transportOf(config),
  );
  const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response);
  return access_token;
}

/** Tries OpenID Connect Discovery first, then RFC 8414. */
async function discover(config: OAuthConfig): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(config.issuer);
  const found = await oauth.discoveryRequest(issuer, { ...transportOf(config), algorithm: "oidc" });
  if (found.ok) return oauth.processDiscoveryResponse(issuer, found);
  const other = await oauth.discoveryRequest(issuer, { ...transportOf(config), algorithm: "oauth2" });
  return oauth.processDiscoveryResponse(issuer, other);
}

/** The server accepts plain HTTP issuers only on the local machine. */
const transportOf = ({ issuer }: OAuthConfig) => ({
  [oauth.allowInsecureRequests]: issuer.startsWith("http:"),
});
