import { create, toJsonString } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { LRUCache } from "lru-cache";
import { Code } from "../gen/google/rpc/code_pb.js";
import {
  AppAttestConfigSchema,
  type GetAppAttestConfigRequest,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import type { AppAttestConfigStore, StoredAppAttestConfig } from "../store/app-attest-config-store.js";
import { ApiError } from "../transcoding/api-error.js";
import { EncodedJson } from "../transcoding/encoded-json.js";
import type { CallContext } from "../transcoding/service.js";
import { DEFAULT_TOKEN_TTL_SECONDS } from "./token-ttl.js";

/** What authorization found out: the project that the request names. */
export interface ProjectAccess {
  readonly project: { readonly number: string };
}

/** Answers that are kept encoded. */
const MAX_CACHED = 10_000;

interface CachedAnswer {
  /** What the answer was made from: a store that has another value returns another object. */
  readonly stored: StoredAppAttestConfig;
  readonly answer: EncodedJson;
}

/** Makes the handler of `GetAppAttestConfig` (specification 4.1, decisions: AppAttestConfig). */
export function getHandler(store: AppAttestConfigStore) {
  const answers = new LRUCache<string, CachedAnswer>({ max: MAX_CACHED });
  return async (
    request: GetAppAttestConfigRequest,
    context: CallContext<ProjectAccess>,
  ): Promise<EncodedJson> => {
    const { number } = context.auth.project;
    // The route fixes the form of the name: projects/*/apps/*/appAttestConfig.
    const [, , , appId = ""] = request.name.split("/");
    const stored = await store.find(number, appId);
    if (stored === undefined) throw notFound(request.name);
    const name = `projects/${number}/apps/${appId}/appAttestConfig`;
    const cached = answers.get(name);
    if (cached?.stored === stored) return cached.answer;
    const answer = encode(name, stored);
    answers.set(name, { stored, answer });
    return answer;
  };
}

function encode(name: string, { tokenTtl }: StoredAppAttestConfig): EncodedJson {
  const ttl = tokenTtl ?? { seconds: BigInt(DEFAULT_TOKEN_TTL_SECONDS), nanos: 0 };
  const config = create(AppAttestConfigSchema, { name, tokenTtl: create(DurationSchema, ttl) });
  return new EncodedJson(Buffer.from(toJsonString(AppAttestConfigSchema, config)));
}

function notFound(name: string): ApiError {
  return new ApiError({
    code: Code.NOT_FOUND,
    reason: "RESOURCE_NOT_FOUND",
    message: `${name} does not exist: no such app is registered in the project.`,
    metadata: { resourceName: name },
  });
}
