import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { callContext } from "../api/testing/call-context.js";
import { projectCaller } from "../api/testing/project-caller.js";
import type { StoredAppAttestConfig } from "../control/app-attest-configs.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import {
  BatchGetAppAttestConfigsRequestSchema,
  BatchGetAppAttestConfigsResponseSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { batchGetHandler } from "./batch-get-handler.js";
import { etagOf } from "./config-message.js";

const CONFIGS = new Map<string, StoredAppAttestConfig>([
  ["a", {}],
  ["b", { tokenTtl: { seconds: 1800n, nanos: 0 } }],
  ["c", { revision: 1 }],
]);
const store: Parameters<typeof batchGetHandler>[0] = {
  find: async (project, appId) => (project === "7" ? CONFIGS.get(appId) : undefined),
  listSet: async (project) =>
    project === "7" ? ["b", "c"].map((appId) => ({ appId, config: CONFIGS.get(appId) ?? {} })) : [],
};

async function batchGet(names: readonly string[], number = "7"): Promise<unknown> {
  const request = create(BatchGetAppAttestConfigsRequestSchema, { parent: "projects/p", names: [...names] });
  const caller = projectCaller({ id: "p", number });
  return toJson(
    BatchGetAppAttestConfigsResponseSchema,
    await batchGetHandler(store)(request, callContext(caller)),
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
  ])("returns the configurations of %j in the order of the names", async (names, configs) => {
    expect(await batchGet(names)).toEqual({ configs });
  });

  it("without names returns all configurations that were set", async () => {
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
  ])("refuses %j", async (names, reason, ...fields) => {
    await expect(batchGet(names)).rejects.toMatchObject({
      code: Code.INVALID_ARGUMENT,
      reason,
      violations: fields.map((field) => ({ field })),
    });
  });

  it("fails as a whole if one app is not registered", async () => {
    await expect(batchGet([nameOf("a"), nameOf("nobody", "p")])).rejects.toMatchObject({
      code: Code.NOT_FOUND,
      reason: "RESOURCE_NOT_FOUND",
      metadata: { resourceName: nameOf("nobody", "p") },
    });
  });
});
