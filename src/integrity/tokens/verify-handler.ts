import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { ApiError } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import {
  type VerifyAppCheckTokenRequest,
  type VerifyAppCheckTokenResponse,
  VerifyAppCheckTokenResponseSchema,
} from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { type Clock, HOUR_MS } from "../../model/clock.js";
import type { Project } from "../../model/names.js";
import type { AppKey } from "../app-key.js";
import type { TokenIssuer, TokenProvider } from "./token-issuer.js";
import type { TokenKeyRing } from "./token-keys.js";

/** Time for which a used token is remembered beyond its lifetime, because clocks differ. */
const REMEMBERED_MS = HOUR_MS;
const KIND = RECORD_KINDS.consumedToken;

export interface VerifyParts {
  readonly keys: Pick<TokenKeyRing, "publicKeys">;
  readonly issuer: Pick<TokenIssuer, "nameFor">;
  readonly records: Pick<Records, "change">;
  readonly clock: Clock;
  /** Clock by which records expire. */
  readonly machineClock: Clock;
  /** Called for each verified token. Must not throw. */
  readonly onConsumed?: (token: ConsumedToken) => void;
}

/** A verified token of an app. */
export interface ConsumedToken extends AppKey {
  readonly provider: TokenProvider;
  /** True if the token was used before. */
  readonly isReused: boolean;
}

/** Claims that each issued token has. */
type Claims = JWTPayload &
  Required<Pick<JWTPayload, "sub" | "jti" | "iat" | "exp">> & { readonly provider: TokenProvider };

/**
 * Creates the handler of `VerifyAppCheckToken`. The first call for a token creates a record, and later calls find it.
 */
export function verifyHandler({ keys, issuer, records, clock, machineClock, onConsumed }: VerifyParts) {
  return async (
    { appCheckToken }: VerifyAppCheckTokenRequest,
    { caller: { project } }: CallContext<ProjectCaller>,
  ): Promise<VerifyAppCheckTokenResponse> => {
    const { sub, jti, iat, exp, provider } = await verify(appCheckToken, project);
    const change = {
      kind: KIND,
      key: `${project.number}/${digestOf(sub, jti)}`,
      value: {},
      ifRevision: 0,
      // The clock can be set back, so that the token is valid for its lifetime again.
      expireTime: machineClock.wall() + (exp - iat) * 1_000 + REMEMBERED_MS,
    };
    const alreadyConsumed = (await records.change([change])) === undefined;
    onConsumed?.({ project: project.number, appId: sub, provider, isReused: alreadyConsumed });
    return create(VerifyAppCheckTokenResponseSchema, { alreadyConsumed });
  };

  async function verify(token: string, project: Project): Promise<Claims> {
    const findKey = createLocalJWKSet(await keys.publicKeys());
    try {
      const { payload } = await jwtVerify<Claims>(token, findKey, {
        algorithms: ["RS256"],
        issuer: issuer.nameFor(project),
        audience: `projects/${project.number}`,
        requiredClaims: ["sub", "jti", "iat", "exp", "provider"],
        currentDate: new Date(clock.wall()),
      });
      return payload;
    } catch (error) {
      throw rejection(error);
    }
  }
}

/** Returns a digest that identifies a token. Ids of custom tokens can contain any characters. */
const digestOf = (appId: string, jti: string): string =>
  createHash("sha256")
    .update(JSON.stringify([appId, jti]))
    .digest("base64url");

/** Returns the error for a token that is not valid in the project. */
function rejection(error: unknown): unknown {
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
    return ApiError.invalidArgument("MALFORMED_APP_TOKEN", "appCheckToken", "must be a signed JWT");
  }
  if (!(error instanceof errors.JOSEError)) return error;
  const isExpired = error instanceof errors.JWTExpired;
  const problem = isExpired ? "it has expired" : problemOf(error);
  return new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: isExpired ? "APP_TOKEN_EXPIRED" : "APP_TOKEN_INVALID",
    message: `The app token is not valid: ${problem}. Get a new one for an app of this project.`,
    metadata: { problem },
    cause: error,
  });
}

function problemOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === "iss" || error.claim === "aud"
      ? "it was issued for another project, or by another server"
      : "one of its claims is missing or wrong";
  }
  return "it was not signed with a key of this server";
}
