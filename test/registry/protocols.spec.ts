import { status } from "@grpc/grpc-js";
import { expect } from "vitest";
import { closedAtEnd } from "../support/closing.js";
import { createProject, REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { failureOf, GrpcService, wireErrorOf } from "../support/http/grpc.js";
import { test as serving } from "../support/servers/fixtures.js";
import { VIEWER } from "../support/servers/project.js";

const SERVICE = "waybill.registry.v1.RegistryService";

serving.override("config", REGISTRY_CONFIG);
const test = serving
  .extend("root", { scope: "file" }, ({ server }) => server.token(ROOT))
  .extend("grpc", { scope: "file" }, ({ server }, { onCleanup }) =>
    closedAtEnd(new GrpcService(server.registryUrl, SERVICE), onCleanup),
  );

test("gRPC calls can create projects and apps, and change access policies", async ({ grpc, root }) => {
  const token = root;
  const { message } = await grpc.unary("CreateProject", { projectId: "grpc-project" }, { token });
  expect(message).toMatchObject({ done: true, name: expect.stringMatching(/^operations\/create\.\d{12}$/) });
  const parent = "projects/grpc-project";
  await grpc.unary("CreateAndroidApp", { parent, androidApp: { packageName: "com.example.g" } }, { token });
  const { message: found } = await grpc.unary("SearchApps", { parent }, { token });
  expect(found).toMatchObject({
    apps: [{ namespace: "com.example.g", platform: "ANDROID", state: "ACTIVE" }],
  });
  const { message: policy } = await grpc.unary("GetIamPolicy", { resource: parent }, { token });
  const bindings = [...(policy.bindings as object[]), { role: "roles/viewer", members: ["user:a@x.y"] }];
  const { message: changed } = await grpc.unary(
    "SetIamPolicy",
    { resource: parent, policy: { ...policy, bindings } },
    { token },
  );
  expect(changed.bindings).toHaveLength(2);
});

test("gRPC calls fail with the same reasons as JSON calls", async ({ grpc, root, server, viewer }) => {
  await createProject(server, root, "other-grpc");
  const failed = async (method: string, request: object, token: string) => {
    const error = await failureOf(grpc.unary(method, request, { token }));
    return [error.code, wireErrorOf(error).reason];
  };
  for (const name of ["projects/other-grpc", "projects/grpc-nowhere"])
    expect(await failed("GetProject", { name }, viewer)).toEqual([
      status.PERMISSION_DENIED,
      "PERMISSION_MISSING",
    ]);
  expect(await failed("CreateProject", { projectId: "grpc-own" }, viewer)).toEqual([
    status.PERMISSION_DENIED,
    "PERMISSION_MISSING",
  ]);
  for (const method of ["CreateIosApp", "CreateAndroidApp", "CreateWebApp"])
    expect(await failed(method, { parent: "projects/other-grpc" }, root)).toEqual([
      status.INVALID_ARGUMENT,
      "REQUEST_BODY_MISSING",
    ]);
  const resource = "projects/other-grpc";
  const policy = {
    etag: Buffer.from("other"),
    bindings: [{ role: "roles/owner", members: [`user:${VIEWER}`] }],
  };
  expect(await failed("SetIamPolicy", { resource, policy }, root)).toEqual([status.ABORTED, "ETAG_MISMATCH"]);
  const members = Array.from({ length: 1_501 }, (_, index) => `user:${index}@x.y`);
  const long = { bindings: [{ role: "roles/owner", members }] };
  expect(await failed("SetIamPolicy", { resource, policy: long }, root)).toEqual([
    status.INVALID_ARGUMENT,
    "TOO_MANY_MEMBERS",
  ]);
  const large = { bindings: [{ role: "roles/owner", members: ["m".repeat(256 * 1024)] }] };
  expect((await failed("SetIamPolicy", { resource, policy: large }, root))[0]).toBe(
    status.RESOURCE_EXHAUSTED,
  );
});

test("Connect calls have the same results as JSON calls", async ({ server, root }) => {
  const connect = async (method: string, body: object) => {
    const { status, text } = await send(server.registryUrl, `/${SERVICE}/${method}`, {
      method: "POST",
      token: root,
      body: Buffer.from(JSON.stringify(body)),
      headers: { "content-type": "application/json", "connect-protocol-version": "1" },
    });
    return { status, json: JSON.parse(text) };
  };
  expect((await connect("CreateProject", { projectId: "connect-project" })).status).toBe(200);
  const { json } = await connect("GetProject", { name: "projects/connect-project" });
  expect(json).toMatchObject({ projectId: "connect-project", state: "ACTIVE" });
  expect(await connect("CreateProject", { projectId: "connect-project" })).toMatchObject({
    status: 409,
    json: { code: "already_exists" },
  });
});
