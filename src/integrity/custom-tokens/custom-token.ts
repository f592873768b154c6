import { decodeJwt, errors, importJWK, type JWTPayload, jwtVerify } from "jose";
import type { Records } from "../../control/records.js";
import type { Clock } from "../../model/clock.js";
import { readTokenTtl } from "../../model/token-ttl.js";
import { keysOf } from "./credential-keys.js";

/** Audience that Admin SDKs set in custom tokens. */
export const CUSTOM_TOKEN_AUDIENCE =
  "https://firebaseappcheck.googleapis.com/google.firebase.appcheck.v1.TokenExchangeService";
/** Maximum lifetime of a custom token, in seconds. Admin SDKs set 5 minutes. */
const MAX_LIFETIME_SECONDS = 3_600;
/** Accepted difference between the clocks of signer and server, in seconds. */
const LEEWAY_SECONDS = 60;

export interface CustomToken {
  /** Name of the principal that signed the token. */
  readonly principal: string;
  readonly appId: string;
  /** Requested lifetime of the app token, in whole seconds; `undefined` if the custom token does not request one. */
  readonly ttlSeconds: number | undefined;
}

/** Thrown if a custom token is not valid. The message is for the log only. */
export class CustomTokenError extends Error {
  override readonly name = "CustomTokenError";
}

/**
 * Verifies a custom token with the keys that belong to its signer.
 *
 * @throws CustomTokenError if the token is not valid.
 * @throws StoreUnavailableError if the keys cannot be read.
 */
export async function verifyCustomToken(
  token: string,
  { records, clock }: { readonly records: Pick<Records, "list">; readonly clock: Clock },
): Promise<CustomToken> {
  const principal = principalOf(token);
  const keys = await keysOf(records, principal);
  if (keys.length === 0) throw new CustomTokenError("its issuer has no key");
  const currentDate = new Date(clock.wall());
  for (const { publicJwk } of keys) {
    // Admin SDKs do not name the key, so all keys are tried.
    try {
      const { payload } = await jwtVerify(token, await importJWK(publicJwk, "RS256"), {
        algorithms: ["RS256"],
        issuer: principal,
        subject: principal,
        audience: CUSTOM_TOKEN_AUDIENCE,
        requiredClaims: ["iat", "exp"],
        maxTokenAge: MAX_LIFETIME_SECONDS,
        clockTolerance: LEEWAY_SECONDS,
        currentDate,
      });
      return { principal, ...claimsOf(payload) };
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      throw error instanceof errors.JOSEError ? new CustomTokenError(error.message, { cause: error }) : error;
    }
  }
  throw new CustomTokenError("its signature is not valid");
}

/** Returns the principal that an unverified token names. */
function principalOf(token: string): string {
  try {
    const { iss } = decodeJwt(token);
    if (iss !== undefined && iss !== "") return iss;
  } catch (cause) {
    throw new CustomTokenError("it is not a JWT", { cause });
  }
  throw new CustomTokenError("it names no issuer");
}

function claimsOf({ app_id: appId, ttl }: JWTPayload): Pick<CustomToken, "appId" | "ttlSeconds"> {
  if (typeof appId !== "string") throw new CustomTokenError("its app_id is missing");
  if (ttl === undefined) return { appId, ttlSeconds: undefined };
  const duration = readTokenTtl(ttl);
  if (duration !== undefined) return { appId, ttlSeconds: Number(duration.seconds) };
  throw new CustomTokenError("its ttl is not a duration from 30 minutes to 7 days");
}
