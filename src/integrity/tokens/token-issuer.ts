import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../../api/api-error.js";
import { appNotFound } from "../../api/errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { type AppCheckToken, AppCheckTokenSchema } from "../../gen/waybill/integrity/v1/integrity_pb.js";
import type { Clock } from "../../model/clock.js";
import type { Project } from "../../model/names.js";
import { DEFAULT_TOKEN_TTL_SECONDS } from "../../model/token-ttl.js";
import type { AppAttestConfigs } from "../app-attest-configs.js";
import type { AppKey } from "../app-key.js";
import type { TokenKeyRing } from "./token-keys.js";
import type { TokenSigner } from "./token-signer.js";

/** Lifetime of limited-use tokens, in seconds: the same as in Firebase App Check. */
const LIMITED_USE_TTL_SECONDS = 300;

/** The way in which an app has proved its identity. */
export type TokenProvider = "app_attest" | "custom" | "debug";

export interface TokenSubject {
  readonly project: Project;
  readonly appId: string;
  readonly provider: TokenProvider;
  /** True for a token that can be used for one request only. */
  readonly limitedUse: boolean;
  /** Id of the token; random by default. */
  readonly jti?: string | undefined;
  /**
   * Lifetime of a token that is not for limited use, in seconds. The default is the lifetime configured for the app.
   */
  readonly ttlSeconds?: number | undefined;
}

export interface TokenIssuerParts {
  readonly keys: Pick<TokenKeyRing, "signingKey">;
  readonly signer: Pick<TokenSigner, "sign">;
  readonly configs: Pick<AppAttestConfigs, "find">;
  /** Returns the issuer's name, without the project. */
  readonly issuerName: () => string;
  /** Called for each issued token. Must not throw. */
  readonly onIssued?: (app: AppKey, provider: TokenProvider) => void;
  readonly clock: Clock;
}

/** Issues app tokens in the format of App Check. */
export class TokenIssuer {
  readonly #parts: TokenIssuerParts;

  constructor(parts: TokenIssuerParts) {
    this.#parts = parts;
  }

  /**
   * Issues a token for an app that was verified.
   *
   * @throws ApiError `RESOURCE_NOT_FOUND` if the app is not registered.
   * @throws KeyError if the keys are damaged.
   * @throws StoreUnavailableError if the keys or the configuration cannot be read.
   */
  async issue({
    project,
    appId,
    provider,
    limitedUse,
    jti,
    ttlSeconds,
  }: TokenSubject): Promise<AppCheckToken> {
    const { keys, signer, clock, onIssued } = this.#parts;
    const configured = await this.ttlOf(project, appId);
    const ttl = limitedUse ? LIMITED_USE_TTL_SECONDS : (ttlSeconds ?? configured);
    const now = Math.floor(clock.wall() / 1_000);
    const token = await signer.sign(await keys.signingKey(), {
      provider,
      iss: this.nameFor(project),
      sub: appId,
      aud: [`projects/${project.number}`, `projects/${project.id}`],
      iat: now,
      exp: now + ttl,
      jti: jti ?? randomUUID(),
    });
    onIssued?.({ project: project.number, appId }, provider);
    return create(AppCheckTokenSchema, { token, ttl: create(DurationSchema, { seconds: BigInt(ttl) }) });
  }

  /** Returns the `iss` of a project's tokens. */
  nameFor({ number }: Project): string {
    return `${this.#parts.issuerName()}/${number}`;
  }

  /** Returns the configured lifetime of an app's tokens, in whole seconds. @throws the same errors as {@link issue}. */
  async ttlOf(project: Project, appId: string): Promise<number> {
    const config = await this.#parts.configs.find(project.number, appId);
    if (config === undefined) throw appNotFound(project.number, appId);
    return config.tokenTtl === undefined ? DEFAULT_TOKEN_TTL_SECONDS : Number(config.tokenTtl.seconds);
  }
}

/**
 * Returns the error (403) for an app that has not proved its identity. The message is always the same, so that callers
 * learn nothing about secrets.
 */
export const attestationFailed = (): ApiError =>
  new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "APP_ATTESTATION_FAILED",
    message: "App attestation failed.",
  });
