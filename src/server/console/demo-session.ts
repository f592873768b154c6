import { createHash, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import { ApiError } from "../../api/api-error.js";
import { EncodedJson } from "../../api/encoded-response.js";
import type { PlainRequest, PlainRoute } from "../../api/plain-route.js";
import type { LocalIssuer } from "../../auth/tokens/local-issuer.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { MAX_DEMO_CODE_BYTES } from "../../limits/request-limits.js";
import { type Clock, HOUR_MS } from "../../model/clock.js";
import { expectJsonType, parseJson } from "../../transcoding/binding/json-body.js";

/** Dependencies of the demo sign-in. */
export interface DemoSessions {
  readonly codes: DemoCodes;
  readonly issuer: Pick<LocalIssuer, "sign">;
  readonly principal: string;
  /** Full names of the tokens' scopes. */
  readonly scopes: readonly string[];
  /** Called with the HTTP request id for each issued token. Must not throw. */
  readonly issued: (requestId: string, token: { principal: string; expiresInSeconds: number }) => void;
}

const TOKEN_SECONDS = 3_600;
const NO_STORE = { "cache-control": "no-store" };
const exchange = z.strictObject({ code: z.string() });

/**
 * Creates the route that exchanges a one-time code for a short-lived token. The demo's link contains the code in its
 * fragment.
 */
export function demoSessionRoute({ codes, issuer, principal, scopes, issued }: DemoSessions): PlainRoute {
  return {
    httpMethod: "POST",
    path: "/console/demo-session",
    respond: async (request) => {
      expectSameOrigin(request.headers);
      if (!codes.redeem(await readCode(request))) throw codeInvalid();
      const expiresIn = TOKEN_SECONDS;
      const accessToken = await issuer.sign({ principal, scopes, ttlSeconds: expiresIn });
      issued(request.requestId, { principal, expiresInSeconds: expiresIn });
      return {
        body: new EncodedJson(Buffer.from(JSON.stringify({ accessToken, expiresIn, principal }))),
        headers: NO_STORE,
      };
    },
  };
}

async function readCode({ headers, body }: PlainRequest): Promise<string> {
  expectJsonType(headers["content-type"]);
  const parsed = exchange.safeParse(parseJson(await body(MAX_DEMO_CODE_BYTES)).json);
  if (parsed.success) return parsed.data.code;
  throw ApiError.invalidArgument("INVALID_BODY", "body", 'must be {"code": "…"} and nothing else');
}

const codeInvalid = (): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "DEMO_CODE_INVALID",
    message:
      "This link has already been used, or has expired. Restart the demo to get another link, " +
      "or sign in with the access token that it printed.",
    headers: NO_STORE,
  });

/** Time for which a sign-in code is valid, in milliseconds. */
const LIFETIME_MS = HOUR_MS;
const CODE_BYTES = 24;

/** Single-use sign-in codes. They expire after an hour, and only this process knows them. */
export class DemoCodes {
  /** Monotonic time, so that setting the system clock cannot extend a code's validity. */
  readonly #now: () => number;
  /** Expiration time of each code, by digest. Looking up a digest is equally fast for any wrong code. */
  readonly #ends = new Map<string, number>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#now = () => clock.monotonic();
  }

  /** Issues a new code, which can be part of a URL. */
  issue(): string {
    const code = randomBytes(CODE_BYTES).toString("base64url");
    this.#ends.set(digestOf(code), this.#now() + LIFETIME_MS);
    return code;
  }

  /** Redeems a code. @returns true if the code was valid. */
  redeem(code: string): boolean {
    const digest = digestOf(code);
    const end = this.#ends.get(digest);
    this.#ends.delete(digest);
    return end !== undefined && this.#now() < end;
  }
}

const digestOf = (code: string): string => createHash("sha256").update(code).digest("base64url");

/**
 * Rejects requests that browsers send from pages of other origins. Programs other than browsers send neither of the two
 * headers.
 *
 * @throws ApiError 403 if a page of another origin made the request.
 */
function expectSameOrigin(headers: IncomingHttpHeaders): void {
  const { origin, "sec-fetch-site": site } = headers;
  // Proxies do not affect `Sec-Fetch-Site`. Older browsers omit this header. All browsers omit it if they do not
  // consider the server's address trustworthy (plain HTTP).
  if (site === undefined ? origin === undefined || isOwn(origin, headers) : site === "same-origin") return;
  throw new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "CROSS_ORIGIN_REQUEST",
    message: "Only the console itself may make this request, not a page of another origin.",
  });
}

/**
 * Returns true if an origin is the host that the request was sent to. Ignores the scheme, because a proxy that
 * terminates TLS changes it.
 */
function isOwn(origin: string, { host, ":authority": authority = host }: IncomingHttpHeaders): boolean {
  return URL.canParse(origin) && new URL(origin).host === authority;
}
