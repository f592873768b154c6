import { create } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import { EncodedJson } from "../api/encoded-answer.js";
import { callContext, resourceName } from "../api/testing/call-context.js";
import { projectCaller } from "../api/testing/project-caller.js";
import type { StoredAppAttestConfig } from "../control/app-attest-configs.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import {
  type AppAttestConfig,
  GetAppAttestConfigRequestSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { getHandler } from "./get-handler.js";

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

async function bodyOf(answer: ReturnType<typeof call>): Promise<unknown> {
  const encoded = await answer;
  if (!(encoded instanceof EncodedJson)) throw new Error("is not encoded");
  return JSON.parse(encoded.bytes.toString());
}

describe("GetAppAttestConfig", () => {
  test.each([
    ["demo-project", APP, "3600s"],
    ["123456789012", APP, "3600s"],
    ["demo-project", "set", "1800.500s"],
  ])(
    "of project %s and app %s answers %s with the project's number in the name",
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

  it("encodes an answer once, and again when the configuration has changed", async () => {
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

  it("returns a message, not JSON, for the binary format", async () => {
    const message = await call(`projects/1/apps/${APP}/appAttestConfig`, undefined, undefined, "binary");
    expect(message).toMatchObject({
      $typeName: "waybill.integrity.v1.AppAttestConfig",
      name: `projects/123456789012/apps/${APP}/appAttestConfig`,
      tokenTtl: { seconds: 3600n },
    });
  });

  it("keeps apps apart even if the store shares one object among them", async () => {
    const shared = {};
    const handler = getHandler({ find: async () => shared });
    for (const app of ["a", "b"]) {
      expect(await bodyOf(call(`projects/p/apps/${app}/appAttestConfig`, "1", handler))).toMatchObject({
        name: `projects/1/apps/${app}/appAttestConfig`,
      });
    }
  });
});
