import { z } from "zod";
import { ApiError } from "../../api/api-error.js";
import { EncodedJson } from "../../api/encoded-answer.js";
import type { PlainRequest, PlainRoute } from "../../api/plain-route.js";
import type { LocalIssuer } from "../../auth/tokens/local-issuer.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { MAX_DEMO_CODE_BYTES } from "../../limits/limits.js";
import { expectJsonType, parseJson } from "../../transcoding/binding/json-body.js";
import type { DemoCodes } from "./demo-codes.js";
import { expectSameOrigin } from "./same-origin.js";

/** Parts of the sign-in to the demo. */
export interface DemoSessions {
  readonly codes: DemoCodes;
  readonly issuer: Pick<LocalIssuer, "sign">;
  /** Principal of the tokens. */
  readonly principal: string;
  /** Full names of the scopes of the tokens. */
  readonly scopes: readonly string[];
  /** Called for every token issued, with the id of the HTTP request; must not throw. */
  readonly issued: (requestId: string, token: { principal: string; expiresInSeconds: number }) => void;
}

const TOKEN_SECONDS = 3_600;
const NO_STORE = { "cache-control": "no-store" };
const exchange = z.strictObject({ code: z.string() });

/** Exchanges a one-time code, found in the fragment of the demo's link, for a short-lived token. */
export function demoSessionRoute({ codes, issuer, principal, scopes, issued }: DemoSessions): PlainRoute {
  return {
    httpMethod: "POST",
    path: "/console/demo-session",
    answer: async (request) => {
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
      "The code of this link was used before, or is too old. Restart the demo to get another link, " +
      "or sign in with the access token that it printed.",
    headers: NO_STORE,
  });
