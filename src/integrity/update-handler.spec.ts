import { create } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { callContext, resourceName } from "../api/testing/call-context.js";
import { projectCaller } from "../api/testing/project-caller.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import {
  type AppAttestConfig,
  UpdateAppAttestConfigRequestSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { StoreUnavailableError } from "../model/store-error.js";
import type { AppAttestConfigChange } from "./app-attest-configs.js";
import { configJson, etagOf, type StoredAppAttestConfig } from "./config-resource.js";
import { updateHandler } from "./update-handler.js";

const NAME = "projects/7/apps/a/appAttestConfig";
const HOUR = { seconds: 3600n, nanos: 0 };

type Store = Parameters<typeof updateHandler>[0];

/** A store with one app, `a`. It records changes. */
function storeOf(stored: StoredAppAttestConfig) {
  const changes: AppAttestConfigChange[] = [];
  const store: Store = {
    change: async (project, appId, change) => {
      if (`${project}/${appId}` !== "7/a") return undefined;
      const values = change.valuesAfter(stored);
      changes.push(change);
      return { ...values, revision: (stored.revision ?? 0) + 1 };
    },
  };
  return { store, changes };
}

interface Call {
  readonly name?: string;
  readonly tokenTtl?: { readonly seconds: bigint; readonly nanos: number };
  readonly etag?: string;
  readonly paths?: readonly string[];
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly signal?: AbortSignal;
}

function update(
  store: Store,
  { name = NAME, tokenTtl, etag, paths, ifMatch, ifNoneMatch, signal }: Call = {},
): Promise<AppAttestConfig> {
  const request = create(UpdateAppAttestConfigRequestSchema, {
    appAttestConfig: { name, ...(tokenTtl && { tokenTtl }), ...(etag !== undefined && { etag }) },
    updateMask: { paths: [...(paths ?? ["token_ttl"])] },
  });
  const caller = projectCaller({ number: "7" }, "somebody");
  return updateHandler(store)(
    request,
    callContext(caller, {
      resource: resourceName(name),
      preconditions: { ifMatch, ifNoneMatch },
      ...(signal && { signal }),
    }),
  );
}

describe("UpdateAppAttestConfig", () => {
  test.each<[call: Call, updateMask: string, seconds: bigint]>([
    [{ tokenTtl: { seconds: 1800n, nanos: 0 } }, "tokenTtl", 1800n],
    [{ tokenTtl: { seconds: 604_800n, nanos: 0 }, paths: ["*"] }, "*", 604_800n],
    [{ tokenTtl: HOUR, paths: ["tokenTtl"] }, "tokenTtl", 3600n],
    [{ tokenTtl: HOUR, paths: ["token_ttl", "*", "token_ttl"] }, "*", 3600n],
    [{}, "tokenTtl", 3600n],
    [{ name: "projects/project/apps/a/appAttestConfig", paths: ["*"] }, "*", 3600n],
  ])("applies %o and records the mask %s", async (call, updateMask, seconds) => {
    const { store, changes } = storeOf({ tokenTtl: { seconds: 9000n, nanos: 0 }, revision: 4 });
    const response = await update(store, call);
    expect(response).toMatchObject({
      name: NAME,
      tokenTtl: { seconds, nanos: 0 },
      etag: etagOf(NAME, { tokenTtl: call.tokenTtl, revision: 5 }),
    });
    expect(changes).toMatchObject([{ author: { principal: "somebody", network: "192.0.2.1" }, updateMask }]);
  });

  test.each<[call: Call, reason: string, fields: readonly string[], message: RegExp]>([
    [{ paths: [] }, "UPDATE_MASK_MISSING", ["updateMask"], /required/],
    [{ paths: ["nope"] }, "UNKNOWN_FIELD", ["updateMask"], /"nope"/],
    [{ paths: ["other_field"] }, "UNKNOWN_FIELD", ["updateMask"], /"other_field" \("otherField"\)/],
    [{ paths: [""] }, "UNKNOWN_FIELD", ["updateMask"], /""/],
    [{ paths: ["token_ttl.seconds"] }, "UNKNOWN_FIELD", ["updateMask"], /"token_ttl\.seconds"/],
    [{ paths: ["app_attest_config.token_ttl"] }, "UNKNOWN_FIELD", ["updateMask"], /"app_attest/],
    [{ paths: ["x".repeat(5000)] }, "UNKNOWN_FIELD", ["updateMask"], /"x{200}…"/],
    [{ paths: ["*", "name"] }, "IMMUTABLE_FIELD", ["updateMask"], /name/],
    [{ paths: ["etag"] }, "OUTPUT_ONLY_FIELD", ["updateMask"], /etag/],
    [{ paths: ["name", "token_ttl", "nope"] }, "IMMUTABLE_FIELD", ["updateMask", "updateMask"], /name/],
    [{ tokenTtl: { seconds: 1799n, nanos: 999_999_999 } }, "INVALID_TOKEN_TTL", ["tokenTtl"], /1800s/],
    [{ tokenTtl: { seconds: 604_800n, nanos: 1 } }, "INVALID_TOKEN_TTL", ["tokenTtl"], /604800s/],
    [{ tokenTtl: { seconds: 3600n, nanos: -1 } }, "INVALID_TOKEN_TTL", ["tokenTtl"], /1800s/],
    [{ tokenTtl: { seconds: 3600n, nanos: 2e9 } }, "INVALID_TOKEN_TTL", ["tokenTtl"], /1800s/],
  ])("rejects %o with %s", async (call, reason, fields, message) => {
    const { store, changes } = storeOf({});
    const error = await update(store, call).catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: Code.INVALID_ARGUMENT,
      httpStatus: 400,
      reason,
      message: expect.stringMatching(message),
      violations: fields.map((field) => ({ field })),
    });
    expect(changes).toEqual([]);
  });

  it("fails with NOT_FOUND if the app is not registered", async () => {
    const name = "projects/project/apps/b/appAttestConfig";
    await expect(update(storeOf({}).store, { name })).rejects.toMatchObject({
      code: Code.NOT_FOUND,
      reason: "RESOURCE_NOT_FOUND",
      metadata: { resourceName: name },
    });
  });

  it("fails with the same error as the store if the store is unavailable", async () => {
    const unavailable = new StoreUnavailableError("full");
    await expect(update({ change: () => Promise.reject(unavailable) })).rejects.toBe(unavailable);
  });

  it("changes nothing once the caller has disconnected", async () => {
    const { store, changes } = storeOf({});
    const reason = new Error("gone");
    await expect(update(store, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(changes).toEqual([]);
  });
});

test.each<[mask: string, count: number, ...paths: string[]]>([
  ["tokenTtl", 1, "tokenTtl", "token_ttl"],
  ["tokenTtl", 200_000, "token_ttl"],
  ["*", 1_000, "token_ttl", "*"],
])("records the update mask %s when its paths repeat %i times: %s %s", async (mask, count, ...repeated) => {
  const paths = Array.from({ length: count }, () => repeated).flat();
  const { store, changes } = storeOf({});
  await update(store, { paths, tokenTtl: HOUR });
  expect(changes).toMatchObject([{ updateMask: mask }]);
});

describe("etag of UpdateAppAttestConfig", () => {
  const unchanged: StoredAppAttestConfig = { tokenTtl: HOUR };
  const changed: StoredAppAttestConfig = { tokenTtl: HOUR, revision: 3 };
  const own = etagOf(NAME, changed) ?? "";
  const ofGet = (stored: StoredAppAttestConfig): string => configJson(NAME, stored).etag;
  const ofGetInGzip = configJson(NAME, changed).etagOf("gzip");

  test.each<[stored: StoredAppAttestConfig, sent: Pick<Call, "etag" | "ifMatch" | "ifNoneMatch">]>([
    [changed, { etag: own }],
    [changed, { etag: ofGet(changed) }],
    [changed, { etag: ofGetInGzip }],
    [changed, { etag: "" }],
    [changed, { ifMatch: own }],
    [changed, { ifMatch: ofGet(changed) }],
    [changed, { ifMatch: ofGetInGzip }],
    [changed, { ifMatch: `"other", ${own}` }],
    [changed, { ifMatch: "*" }],
    [changed, { ifMatch: own, etag: ofGet(changed) }],
    [unchanged, { etag: ofGet(unchanged) }],
    [unchanged, { ifMatch: ofGet(unchanged) }],
    [unchanged, { ifMatch: "*" }],
    [changed, { ifNoneMatch: '"other"' }],
    [changed, { ifNoneMatch: "" }],
    [changed, { ifMatch: own, ifNoneMatch: '"other"', etag: own }],
  ])("allows the change of %o if it matches: %j", async (stored, sent) => {
    const { store, changes } = storeOf(stored);
    await update(store, sent);
    expect(changes).toHaveLength(1);
  });

  const before = { tokenTtl: HOUR, revision: 2 };
  test.each<
    [
      stored: StoredAppAttestConfig,
      sent: Pick<Call, "etag" | "ifMatch" | "ifNoneMatch">,
      httpStatus: number,
      sentAs?: string,
    ]
  >([
    [changed, { etag: etagOf(NAME, before) ?? "" }, 409],
    [changed, { etag: ofGet(before) }, 409],
    [changed, { etag: ofGet(unchanged) }, 409],
    [changed, { etag: `W/${own}` }, 409],
    [changed, { etag: own.replaceAll('"', "") }, 409],
    [changed, { etag: "*" }, 409],
    [changed, { etag: `${own}, ${own}` }, 409],
    [changed, { etag: etagOf("projects/7/apps/b/appAttestConfig", changed) ?? "" }, 409],
    [changed, { ifMatch: etagOf(NAME, before) ?? "" }, 412],
    [changed, { ifMatch: `W/${own}` }, 412],
    [changed, { ifMatch: "nonsense" }, 412],
    [changed, { ifMatch: "" }, 412],
    [changed, { ifMatch: "*", etag: ofGet(before) }, 409],
    [changed, { ifMatch: '"other"', etag: own }, 412],
    [changed, { ifNoneMatch: "*" }, 412, "If-None-Match"],
    [unchanged, { ifNoneMatch: "*" }, 412, "If-None-Match"],
    [changed, { ifNoneMatch: own }, 412, "If-None-Match"],
    [changed, { ifNoneMatch: `"other", W/${own}` }, 412, "If-None-Match"],
    [changed, { ifNoneMatch: ofGetInGzip }, 412, "If-None-Match"],
    [unchanged, { ifNoneMatch: ofGet(unchanged) }, 412, "If-None-Match"],
    [changed, { ifMatch: own, ifNoneMatch: own }, 412, "If-None-Match"],
    [changed, { ifMatch: '"other"', ifNoneMatch: own }, 412, "If-Match"],
    [unchanged, { etag: '"undefined"' }, 409],
    [unchanged, { ifMatch: '""' }, 412],
  ])("rejects the change of %o if %j does not match, with %d", async (stored, sent, httpStatus, sentAs) => {
    const { store, changes } = storeOf(stored);
    await expect(update(store, sent)).rejects.toMatchObject({
      code: Code.ABORTED,
      httpStatus,
      reason: "ETAG_MISMATCH",
      metadata: { resourceName: NAME, sentAs: sentAs ?? (httpStatus === 412 ? "If-Match" : "etag") },
    });
    expect(changes).toEqual([]);
  });

  it("differs between apps, revisions and values", () => {
    const states: [string, StoredAppAttestConfig][] = [
      [NAME, changed],
      ["projects/7/apps/b/appAttestConfig", changed],
      [NAME, { ...changed, revision: 4 }],
      [NAME, { revision: 3 }],
      [NAME, { tokenTtl: { seconds: 3600n, nanos: 1 }, revision: 3 }],
    ];
    expect(new Set(states.map(([name, stored]) => etagOf(name, stored))).size).toBe(states.length);
  });
});
