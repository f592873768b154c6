import { create } from "@bufbuild/protobuf";
import { EncodedJson } from "../api/encoded-response.js";
import type { PlainRequest, PlainResponse, PlainRoute } from "../api/plain-route.js";
import type { ScopeNames } from "../auth/scopes.js";
import type { LocalIssuer } from "../auth/tokens/local-issuer.js";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import type { Clock } from "../model/clock.js";
import { type Exchanged, TokenExchange } from "./token-exchange.js";
import {
  clientRejected,
  OAuthError,
  parseTokenRequest,
  readForm,
  TOKEN_EXCHANGE_GRANT,
} from "./token-request.js";

export interface OAuthParts {
  readonly issuer: LocalIssuer;
  readonly scopeNames: ScopeNames;
  readonly clock: Clock;
  /** Maximum lifetime of access tokens, in seconds; one hour by default. */
  readonly maxLifeSeconds?: number | undefined;
  /** Returns the base address of the listener, which is also the issuer name and the `iss` of access tokens. */
  readonly baseUrl: () => string;
  /** Path in the base address, such as `/api`. Empty if the address has no path. */
  readonly basePath: string;
  /** Called for each token request, with the HTTP request id. Must not throw. */
  readonly observe?: (requestId: string, outcome: Exchanged | OAuthError) => void;
}

/** Keeps token responses out of caches (RFC 6749 §5.1). */
const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

/** Routes of the local issuer's token exchange (RFC 8693), metadata (RFC 8414) and public key (RFC 7517). */
export function oauthRoutes({
  issuer,
  scopeNames,
  clock,
  maxLifeSeconds,
  baseUrl,
  basePath,
  observe,
}: OAuthParts): PlainRoute[] {
  const exchange = new TokenExchange(issuer, scopeNames, clock, maxLifeSeconds);
  const jwks = create(HttpBodySchema, {
    contentType: "application/jwk-set+json",
    data: Buffer.from(JSON.stringify(issuer.jwks())),
  });

  async function exchanged(request: PlainRequest): Promise<Exchanged> {
    if (request.authorization !== undefined) throw clientRejected();
    return exchange.exchange(parseTokenRequest(await readForm(request)), baseUrl());
  }

  async function respondWithToken(request: PlainRequest): Promise<PlainResponse> {
    try {
      const outcome = await exchanged(request);
      observe?.(request.requestId, outcome);
      return { body: json(outcome.response), headers: NO_STORE };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      observe?.(request.requestId, error);
      return rejection(error);
    }
  }

  const respondWithMetadata = (): PlainResponse => ({
    body: json(serverMetadata(baseUrl(), scopeNames.all)),
  });
  // RFC 8414 §3.1 appends the issuer's path, but a proxy may have removed that path from the request.
  const metadataPaths = new Set([METADATA_PATH, `${METADATA_PATH}${basePath}`]);

  return [
    { httpMethod: "POST", path: TOKEN_PATH, respond: respondWithToken },
    { httpMethod: "GET", path: JWKS_PATH, respond: () => ({ body: jwks }) },
    ...[...metadataPaths].map(
      (path): PlainRoute => ({ httpMethod: "GET", path, respond: respondWithMetadata }),
    ),
  ];
}

function rejection(error: OAuthError): PlainResponse {
  return {
    body: json({ error: error.code, error_description: error.message }),
    status: error.httpStatus,
    headers: {
      ...NO_STORE,
      // RFC 6749 §5.2 requires a challenge with the authentication scheme that the client has used.
      ...(error.code === "invalid_client" ? { "www-authenticate": 'Basic realm="waybill"' } : {}),
    },
  };
}

const json = (value: object): EncodedJson => new EncodedJson(Buffer.from(JSON.stringify(value)));

const METADATA_PATH = "/.well-known/oauth-authorization-server";
export const TOKEN_PATH = "/oauth2/token";
const JWKS_PATH = "/oauth2/jwks.json";

/** Returns the issuer's metadata for clients and gateways (RFC 8414 §2). */
function serverMetadata(issuer: string, scopes: readonly string[]) {
  return {
    issuer,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    scopes_supported: scopes,
    // This field is required even if there is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: [TOKEN_EXCHANGE_GRANT],
    token_endpoint_auth_methods_supported: ["none"],
  };
}
