import { create } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { Code } from "../gen/google/rpc/code_pb.js";
import { GetAppAttestConfigRequestSchema } from "../gen/waybill/integrity/v1/integrity_pb.js";
import type { AppAttestConfigStore } from "../store/app-attest-config-store.js";
import { StaticRegistry } from "../store/static/static-registry.js";
import { ApiError } from "../transcoding/api-error.js";
import type { EncodedJson } from "../transcoding/encoded-json.js";
import { callContext } from "../transcoding/testing/call-context.js";
import { getHandler } from "./get-handler.js";

const APP = "1:123456789012:ios:0a1b2c3d4e5f";
const registry = new StaticRegistry([
  {
    id: "demo-project",
    number: "123456789012",
    apps: [
      { id: APP },
      { id: "set", appAttestConfig: { tokenTtl: { seconds: 1800n, nanos: 500_000_000 } } },
      { id: "empty", appAttestConfig: {} },
    ],
  },
  { id: "other", number: "7", apps: [{ id: "elsewhere" }] },
]);

const call = (name: string, number = "123456789012", handler = getHandler(registry)): Promise<EncodedJson> =>
  handler(create(GetAppAttestConfigRequestSchema, { name }), callContext({ project: { number } }));

const bodyOf = async (answer: Promise<EncodedJson>): Promise<unknown> =>
  JSON.parse((await answer).bytes.toString());

describe("GetAppAttestConfig", () => {
  test.each([
    ["demo-project", APP, "3600s"],
    ["123456789012", APP, "3600s"],
    ["demo-project", "empty", "3600s"],
    ["demo-project", "set", "1800.500s"],
  ])("of %s, %s answers with the project's number", async (project, app, tokenTtl) => {
    expect(await bodyOf(call(`projects/${project}/apps/${app}/appAttestConfig`))).toEqual({
      name: `projects/123456789012/apps/${app}/appAttestConfig`,
      tokenTtl,
    });
  });

  test.each(["unknown", "elsewhere", APP.toUpperCase(), "", "__proto__"])("finds no app %j", async (app) => {
    const name = `projects/demo-project/apps/${app}/appAttestConfig`;
    const error: unknown = await call(name).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: Code.NOT_FOUND,
      httpStatus: 404,
      reason: "RESOURCE_NOT_FOUND",
      metadata: { resourceName: name },
    });
  });

  it("encodes an answer once, and anew when the configuration is another", async () => {
    let stored = { tokenTtl: { seconds: 3600n, nanos: 0 } };
    const store: AppAttestConfigStore = { find: async () => stored };
    const handler = getHandler(store);
    const name = "projects/demo-project/apps/a/appAttestConfig";
    const first = await call(name, "1", handler);
    expect(await call("projects/1/apps/a/appAttestConfig", "1", handler)).toBe(first);
    stored = { tokenTtl: { seconds: 7200n, nanos: 0 } };
    expect(await bodyOf(call(name, "1", handler))).toMatchObject({ tokenTtl: "7200s" });
  });

  it("keeps apps apart whose store has one configuration for all", async () => {
    const shared = {};
    const handler = getHandler({ find: async () => shared });
    for (const app of ["a", "b"]) {
      expect(await bodyOf(call(`projects/p/apps/${app}/appAttestConfig`, "1", handler))).toMatchObject({
        name: `projects/1/apps/${app}/appAttestConfig`,
      });
    }
  });
});
