import { createHash } from "node:crypto";
import { create, toJsonString } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { EncodedJson } from "../api/encoded-answer.js";
import type { StoredAppAttestConfig } from "../control/app-attest-configs.js";
import type { TokenTtl } from "../control/project-registry.js";
import { DEFAULT_TOKEN_TTL_SECONDS } from "../control/project-registry.js";
import { type AppAttestConfig, AppAttestConfigSchema } from "../gen/waybill/integrity/v1/integrity_pb.js";

const DEFAULT_TOKEN_TTL: TokenTtl = { seconds: BigInt(DEFAULT_TOKEN_TTL_SECONDS), nanos: 0 };

/** Builds the resource of a configuration. */
export function configMessage(name: string, stored: StoredAppAttestConfig): AppAttestConfig {
  return create(AppAttestConfigSchema, {
    name,
    tokenTtl: create(DurationSchema, stored.tokenTtl ?? DEFAULT_TOKEN_TTL),
    etag: etagOf(name, stored) ?? "",
  });
}

/** Encodes {@link configMessage} as the JSON body of a GET. */
export function configJson(name: string, stored: StoredAppAttestConfig): EncodedJson {
  return new EncodedJson(Buffer.from(toJsonString(AppAttestConfigSchema, configMessage(name, stored))));
}

/**
 * Returns a strong etag for the state of a resource (AIP-154), in quotes; `undefined` before the first
 * change.
 */
export function etagOf(name: string, { revision, tokenTtl }: StoredAppAttestConfig): string | undefined {
  if (revision === undefined) return undefined;
  const state = `${name}\n${revision}\n${tokenTtl?.seconds}.${tokenTtl?.nanos}`;
  return `"${createHash("sha256").update(state).digest("base64url").slice(0, 22)}"`;
}
