import { ApiError } from "../../api/api-error.js";
import type { AppCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import type { Records } from "../../control/records.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import type {
  AppCheckToken,
  ExchangeCustomTokenRequest,
} from "../../gen/waybill/integrity/v1/integrity_pb.js";
import type { Clock } from "../../model/clock.js";
import type { ProjectNumber } from "../../model/names.js";
import type { AttestationFailures } from "../failures/attestation-failures.js";
import type { TokenIssuer } from "../tokens/token-issuer.js";
import { CustomTokenError, verifyCustomToken } from "./custom-token.js";

const MIN_JTI_BYTES = 16;
const MAX_JTI_BYTES = 500;

export interface CustomTokenParts {
  readonly issuer: TokenIssuer;
  readonly records: Pick<Records, "list">;
  readonly clock: Clock;
  /** Returns the project role of a principal that signs with `waybill credentials`. */
  readonly roleOf: (principal: string, project: ProjectNumber) => Role;
  readonly failures: Pick<AttestationFailures, "fail">;
}

export function exchangeCustomTokenHandler({ issuer, records, clock, roleOf, failures }: CustomTokenParts) {
  return async (
    { customToken, limitedUse, jti }: ExchangeCustomTokenRequest,
    { caller: { project }, resource }: CallContext<AppCaller>,
  ): Promise<AppCheckToken> => {
    const appId = resource.idIn("apps");
    checkJti(jti, limitedUse);
    const ttlSeconds = await verify(customToken, project.number, appId).catch(async (error: unknown) => {
      if (!(error instanceof CustomTokenError)) throw error;
      const failure = {
        step: "custom_token",
        expected: "a token that an editor has signed",
        found: error.message,
      };
      throw await failures.fail({ project: project.number, appId }, { provider: "custom", ...failure });
    });
    return issuer.issue({
      project,
      appId,
      provider: "custom",
      limitedUse,
      jti: jti || undefined,
      ttlSeconds,
    });
  };

  async function verify(token: string, project: ProjectNumber, appId: string): Promise<number | undefined> {
    const verified = await verifyCustomToken(token, { records, clock });
    if (verified.appId !== appId) throw new CustomTokenError("it is for another app");
    if (roleOf(verified.principal, project) < Role.EDITOR)
      throw new CustomTokenError("its signer is not an editor of the project");
    return verified.ttlSeconds;
  }
}

/** @throws ApiError `INVALID_JTI` */
function checkJti(jti: string, limitedUse: boolean): void {
  if (jti === "") return;
  const size = Buffer.byteLength(jti);
  if (!limitedUse) throw ApiError.invalidArgument("INVALID_JTI", "jti", "needs limitedUse");
  if (size < MIN_JTI_BYTES || size > MAX_JTI_BYTES) {
    const description = `must have ${MIN_JTI_BYTES} to ${MAX_JTI_BYTES} bytes`;
    throw ApiError.invalidArgument("INVALID_JTI", "jti", description);
  }
}
