import type { RequestListener } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type JWK } from "oidc-provider";
import { loopbackServer } from "../../../src/http/testing/loopback-server.js";

/** Lifetime of cookies in seconds, a century: browsers have the real date, which may be later than this server's. */
const COOKIE_TTL = 3_155_760_000;

/** A browser client of the authorization server, without a secret. */
export interface BrowserClient {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The scope that the client may request. */
  readonly scope: string;
  /** Its access tokens' audience. */
  readonly audience: string;
}

/** A public implementation of an authorization server. It accepts any name and password. */
export interface AuthorizationServer {
  /** The issuer, which equals the server's address. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** Registers the only client. Call it once, before the first sign-in. */
  register(client: BrowserClient): void;
  close(): Promise<void>;
}

/**
 * Starts an authorization server on a free port. Its access tokens are JWTs with the signed-in user as
 * subject.
 */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const { origin: issuer, close } = await loopbackServer((request, response) => handle(request, response));
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "tests" };
  return {
    issuer,
    jwksUri: `${issuer}/jwks`,
    register: (client) => {
      handle = providerOf(issuer, signingKey, client).callback();
    },
    close,
  };
}

function providerOf(
  issuer: string,
  signingKey: JWK,
  { clientId, redirectUri, scope, audience }: BrowserClient,
): Provider {
  const resource = `urn:${audience}`;
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
        application_type: "native",
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    scopes: [scope],
    jwks: { keys: [signingKey] },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: {
      AuthorizationCode: 60,
      AccessToken: 600,
      Grant: 600,
      Interaction: COOKIE_TTL,
      Session: COOKIE_TTL,
    },
    cookies: { keys: ["for tests only"] },
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope,
          audience,
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
}
