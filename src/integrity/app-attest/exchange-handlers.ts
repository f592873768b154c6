import { create } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import type { AppCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import {
  type AppCheckToken,
  type ExchangeAppAttestAssertionRequest,
  type ExchangeAppAttestAttestationRequest,
  type ExchangeAppAttestAttestationResponse,
  ExchangeAppAttestAttestationResponseSchema,
  type GenerateAppAttestChallengeRequest,
  type GenerateAppAttestChallengeResponse,
  GenerateAppAttestChallengeResponseSchema,
} from "../../gen/waybill/integrity/v1/integrity_pb.js";
import type { RegisteredApp } from "../../registry/entries.js";
import type { Registry } from "../../registry/registry.js";
import { expectApp } from "../app-key.js";
import type { TokenIssuer } from "../tokens/token-issuer.js";
import { CHALLENGE_TTL_SECONDS, type Challenges } from "./challenges.js";
import type { AppAttestExchange } from "./exchange.js";

type Context = CallContext<AppCaller>;

export interface ExchangeHandlerParts {
  readonly registry: Pick<Registry, "app">;
  readonly challenges: Pick<Challenges, "create">;
  readonly exchange: AppAttestExchange;
  readonly issuer: Pick<TokenIssuer, "issue">;
}

/** Creates the handlers that exchange attestations and assertions for app tokens. */
export function exchangeHandlers({ registry, challenges, exchange, issuer }: ExchangeHandlerParts) {
  /** Returns the app that a call names. @throws ApiError `RESOURCE_NOT_FOUND` if the app is not registered. */
  const appOf = ({ caller: { project }, resource }: Context): RegisteredApp =>
    expectApp(registry, project, resource.idIn("apps"));

  const tokenOf = ({ caller: { project } }: Context, app: RegisteredApp, limitedUse: boolean) =>
    issuer.issue({ project, appId: app.id, provider: "app_attest", limitedUse });

  return {
    async challenge(
      _request: GenerateAppAttestChallengeRequest,
      context: Context,
    ): Promise<GenerateAppAttestChallengeResponse> {
      const { project, id: appId } = appOf(context);
      return create(GenerateAppAttestChallengeResponseSchema, {
        challenge: await challenges.create({ project, appId }),
        ttl: create(DurationSchema, { seconds: BigInt(CHALLENGE_TTL_SECONDS) }),
      });
    },

    async attestation(
      {
        attestationStatement: attestation,
        challenge,
        keyId,
        limitedUse,
      }: ExchangeAppAttestAttestationRequest,
      context: Context,
    ): Promise<ExchangeAppAttestAttestationResponse> {
      const app = appOf(context);
      const artifact = await exchange.attest(app, { attestation, challenge, keyId });
      const appCheckToken = await tokenOf(context, app, limitedUse);
      return create(ExchangeAppAttestAttestationResponseSchema, { artifact, appCheckToken });
    },

    async assertion(
      { artifact, assertion, challenge, limitedUse }: ExchangeAppAttestAssertionRequest,
      context: Context,
    ): Promise<AppCheckToken> {
      const app = appOf(context);
      await exchange.assert(app, { artifact, assertion, challenge });
      return tokenOf(context, app, limitedUse);
    },
  };
}
