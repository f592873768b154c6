import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import { EncodedJson } from "../api/encoded-response.js";
import { callContext, resourceName } from "../api/testing/call-context.js";
import { projectCaller } from "../api/testing/project-caller.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import {
  type AppAttestConfig,
  BatchGetAppAttestConfigsRequestSchema,
  BatchGetAppAttestConfigsResponseSchema,
  GetAppAttestConfigRequestSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { etagOf, type StoredAppAttestConfig } from "./config-resource.js";
import { batchGetHandler, getHandler } from "./get-handlers.js";

const APP = "1:123456789012:ios:0a1b2c3d4e5f";
const CONFIGS: ReadonlyMap<string, StoredAppAttestConfig> = new Map([
  [`123456789012/${APP}`, {}],
  ["123456789012/set", { tokenTtl: { seconds: 1800n, nanos: 500_000_000 } }],
  ["7/elsewhere", {}],
]);

type Store = Parameters<typeof getHandler>[0];
const store: Store = { find: async (project, appId) => CONFIGS.get(`${project}/${appId}`) };

const call = (
  name: string,
  number = "123456789012",
  handler = getHandler(store),
  format: "json" | "binary" = "json",
): Promise<EncodedJson | AppAttestConfig> =>
  handler(
    create(GetAppAttestConfigRequestSchema, { name }),
    callContext(projectCaller({ number }), { format, resource: resourceName(name) }),
  );

async function bodyOf(response: ReturnType<typeof call>): Promise<unknown> {
  const encoded = await response;
  if (!(encoded instanceof EncodedJson)) throw new Error("is not encoded");
  return JSON.parse(encoded.bytes.toString());
}

describe("GetAppAttestConfig", () => {
  test.each([
    ["demo-project", APP, "3600s"],
    ["123456789012", APP, "3600s"],
    ["demo-project", "set", "1800.500s"],
  ])(
    "returns for project %s and app %s the TTL %s, with the project number in the name",
    async (project, app, tokenTtl) => {
      expect(await bodyOf(call(`projects/${project}/apps/${app}/appAttestConfig`))).toEqual({
        name: `projects/123456789012/apps/${app}/appAttestConfig`,
        tokenTtl,
      });
    },
  );

  test.each(["unknown", "elsewhere", APP.toUpperCase(), "-", "__proto__"])(
    "fails with NOT_FOUND for the unregistered app %j",
    async (app) => {
      const name = `projects/demo-project/apps/${app}/appAttestConfig`;
      const error: unknown = await call(name).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        code: Code.NOT_FOUND,
        httpStatus: 404,
        reason: "RESOURCE_NOT_FOUND",
        metadata: { resourceName: name },
      });
    },
  );

  it("encodes a response once, and again after the configuration has changed", async () => {
    let stored: StoredAppAttestConfig = { tokenTtl: { seconds: 3600n, nanos: 0 } };
    const handler = getHandler({ find: async () => stored });
    const name = "projects/demo-project/apps/a/appAttestConfig";
    const first = await call(name, "1", handler);
    expect(await call("projects/1/apps/a/appAttestConfig", "1", handler)).toBe(first);
    stored = { tokenTtl: { seconds: 7200n, nanos: 0 } };
    expect(await bodyOf(call(name, "1", handler))).toMatchObject({ tokenTtl: "7200s" });
  });

  it("returns an etag after the first change, and a new one after each further change", async () => {
    let stored: StoredAppAttestConfig = {};
    const handler = getHandler({ find: async () => stored });
    const name = "projects/1/apps/a/appAttestConfig";
    const etags: unknown[] = [];
    for (const revision of [undefined, 1, 2]) {
      stored = { revision };
      etags.push(((await bodyOf(call(name, "1", handler))) as { etag?: string }).etag);
    }
    expect(etags).toEqual([undefined, ...etags.slice(1).map(() => expect.stringMatching(/^"[\w-]{22}"$/))]);
    expect(new Set(etags).size).toBe(3);
  });

  it("returns a message instead of JSON for the binary format", async () => {
    const message = await call(`projects/1/apps/${APP}/appAttestConfig`, undefined, undefined, "binary");
    expect(message).toMatchObject({
      $typeName: "waybill.integrity.v1.AppAttestConfig",
      name: `projects/123456789012/apps/${APP}/appAttestConfig`,
      tokenTtl: { seconds: 3600n },
    });
  });

  it("distinguishes apps even if the store returns the same object for them", async () => {
    const shared = {};
    const handler = getHandler({ find: async () => shared });
    for (const app of ["a", "b"]) {
      expect(await bodyOf(call(`projects/p/apps/${app}/appAttestConfig`, "1", handler))).toMatchObject({
        name: `projects/1/apps/${app}/appAttestConfig`,
      });
    }
  });
});

const BATCH_CONFIGS = new Map<string, StoredAppAttestConfig>([
  ["a", {}],
  ["b", { tokenTtl: { seconds: 1800n, nanos: 0 } }],
  ["c", { revision: 1 }],
]);
const batchStore: Parameters<typeof batchGetHandler>[0] = {
  find: async (project, appId) => (project === "7" ? BATCH_CONFIGS.get(appId) : undefined),
  listSet: async (project) =>
    project === "7" ? ["b", "c"].map((appId) => ({ appId, config: BATCH_CONFIGS.get(appId) ?? {} })) : [],
};

async function batchGet(names: readonly string[], number = "7"): Promise<unknown> {
  const request = create(BatchGetAppAttestConfigsRequestSchema, { parent: "projects/p", names: [...names] });
  const caller = projectCaller({ id: "p", number });
  return toJson(
    BatchGetAppAttestConfigsResponseSchema,
    await batchGetHandler(batchStore)(request, callContext(caller)),
  );
}

const nameOf = (app: string, project = "7"): string => `projects/${project}/apps/${app}/appAttestConfig`;
const A = { name: nameOf("a"), tokenTtl: "3600s" };
const B = { name: nameOf("b"), tokenTtl: "1800s" };
const C = { name: nameOf("c"), tokenTtl: "3600s", etag: etagOf(nameOf("c"), { revision: 1 }) };

describe("BatchGetAppAttestConfigs", () => {
  test.each<[names: readonly string[], configs: readonly object[]]>([
    [[nameOf("a")], [A]],
    [
      [nameOf("c"), nameOf("a"), nameOf("b")],
      [C, A, B],
    ],
    [
      [nameOf("a", "p"), nameOf("b", "7")],
      [A, B],
    ],
    [
      [nameOf("a"), nameOf("a", "p"), nameOf("a")],
      [A, A, A],
    ],
    [Array.from({ length: 100 }, () => nameOf("b")), Array.from({ length: 100 }, () => B)],
  ])("returns the configurations for %j in request order", async (names, configs) => {
    expect(await batchGet(names)).toEqual({ configs });
  });

  it("returns all changed configurations if the request has no names", async () => {
    expect(await batchGet([])).toEqual({ configs: [B, C] });
    expect(await batchGet([], "8")).toEqual({});
  });

  test.each<[names: readonly string[], reason: string, ...fields: string[]]>([
    [Array.from({ length: 101 }, () => nameOf("a")), "TOO_MANY_NAMES", "names"],
    [[nameOf("a"), ""], "INVALID_RESOURCE_NAME", "names[1]"],
    [["projects/7/apps/a", nameOf("a"), "a"], "INVALID_RESOURCE_NAME", "names[0]", "names[2]"],
    [[nameOf("a/b")], "INVALID_RESOURCE_NAME", "names[0]"],
    [[nameOf("a"), nameOf("a", "8")], "PARENT_MISMATCH", "names[1]"],
    [[nameOf("a", "nowhere")], "PARENT_MISMATCH", "names[0]"],
    [[nameOf("a", "-")], "PARENT_MISMATCH", "names[0]"],
    [[nameOf("nobody"), nameOf("a", "8"), "x"], "PARENT_MISMATCH", "names[1]", "names[2]"],
  ])("rejects %j", async (names, reason, ...fields) => {
    await expect(batchGet(names)).rejects.toMatchObject({
      code: Code.INVALID_ARGUMENT,
      reason,
      violations: fields.map((field) => ({ field })),
    });
  });

  it("rejects the whole request if one app is not registered", async () => {
    await expect(batchGet([nameOf("a"), nameOf("nobody", "p")])).rejects.toMatchObject({
      code: Code.NOT_FOUND,
      reason: "RESOURCE_NOT_FOUND",
      metadata: { resourceName: nameOf("nobody", "p") },
    });
  });
});
