import { TOKEN_EXCHANGE_GRANT } from "./token-request.js";

export const METADATA_PATH = "/.well-known/oauth-authorization-server";
export const TOKEN_PATH = "/oauth2/token";
export const JWKS_PATH = "/oauth2/jwks.json";

/** Returns the issuer's metadata for clients and gateways (RFC 8414 §2). */
export function serverMetadata(issuer: string, scopes: readonly string[]) {
  return {
    issuer,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    scopes_supported: scopes,
    // Required even without an authorization endpoint.
    response_types_supported: [],
    grant_types_supported: [TOKEN_EXCHANGE_GRANT],
    token_endpoint_auth_methods_supported: ["none"],
  };
}
