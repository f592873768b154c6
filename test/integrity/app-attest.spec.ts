import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import {
  APP_ID,
  type AttestationParts,
  CA_NOT_AFTER,
  CA_NOT_BEFORE,
  createChain,
  SyntheticDevice,
} from "../../src/integrity/attestation/testing/synthetic-device.js";
import { sha256 } from "../../src/integrity/attestation/verify-attestation.js";
import { auditEntries, REGISTRY_CONFIG } from "../support/data/registry.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { it as base } from "../support/servers/process-fixtures.js";
import { EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";
import { servedMetrics } from "../support/servers/served-metrics.js";
import type { ServerProcess } from "../support/servers/server-process.js";
import { fileDirectory } from "../support/test-directory.js";

const APP = `projects/${PROJECT.number}/apps/${IOS_APP}`;
const JSON_TYPE = { "content-type": "application/json" };

const folder = fileDirectory();
const rootFile = join(folder, "root.pem");
const chain = await createChain();
writeFileSync(rootFile, chain.root.certificate.toString("pem"));

const apps = [
  { id: IOS_APP, teamId: APP_ID.slice(0, 10), bundleId: APP_ID.slice(11) },
  { id: "no-team", bundleId: "com.example.app" },
];
const it = base.override("config", {
  ...REGISTRY_CONFIG,
  projects: [{ ...PROJECT, apps }],
  integrity: { attestation: { rootFile } },
});

/** Calls a method of an app without a token, as a device does. */
const call = (
  { integrityUrl }: ServerProcess,
  method: string,
  body?: object,
  app = `v1/${APP}`,
): Promise<HttpResponse> =>
  send(integrityUrl, `/${app}:${method}`, {
    method: "POST",
    ...(body !== undefined && { headers: JSON_TYPE, body: JSON.stringify(body) }),
  });

/** Gets a challenge without a request body. */
async function challengeOf(server: ServerProcess): Promise<Buffer> {
  const { status, text } = await call(server, "generateAppAttestChallenge");
  expect(status).toBe(200);
  const { challenge, ttl } = JSON.parse(text);
  expect(ttl).toBe("300s");
  expect(Buffer.from(challenge, "base64")).toHaveLength(32);
  return Buffer.from(challenge, "base64");
}

const attestationOf = (device: SyntheticDevice, challenge: Buffer, parts: AttestationParts = {}) =>
  device.attest(sha256(challenge), { leaf: { notBefore: CA_NOT_BEFORE, notAfter: CA_NOT_AFTER }, ...parts });

/** Attests a device as the SDK for Apple platforms does. */
async function attest(
  server: ServerProcess,
  device: SyntheticDevice,
  parts?: AttestationParts,
): Promise<HttpResponse> {
  const challenge = await challengeOf(server);
  const attestation = await attestationOf(device, challenge, parts);
  return call(server, "exchangeAppAttestAttestation", {
    attestation_statement: attestation.toString("base64"),
    challenge: challenge.toString("base64"),
    key_id: device.keyId.toString("base64"),
  });
}

async function artifactOf(server: ServerProcess, device: SyntheticDevice): Promise<Buffer> {
  return Buffer.from(JSON.parse((await attest(server, device)).text).artifact, "base64");
}

async function assert(
  server: ServerProcess,
  device: SyntheticDevice,
  artifact: Buffer,
  counter: number,
  encoding: "base64" | "base64url" = "base64",
): Promise<HttpResponse> {
  const challenge = await challengeOf(server);
  const assertion = await device.assert(sha256(artifact, challenge), counter);
  const texts = [artifact, assertion, challenge].map((bytes) => bytes.toString(encoding));
  const body = { artifact: texts[0], assertion: texts[1], challenge: texts[2] };
  return call(server, "exchangeAppAttestAssertion", { ...body, limitedUse: true }, `v1beta/${APP}`);
}

/** Waits until the log contains a failed step, and returns its line. */
async function loggedFailure(server: ServerProcess, step: string): Promise<unknown> {
  const lineOf = (): string | undefined =>
    server
      .log()
      .split("\n")
      .find((line) => line.includes("app attestation failed") && line.includes(`"step":"${step}"`));
  const line = await poll(lineOf, (found) => found !== undefined);
  return JSON.parse(line ?? "{}");
}

describe("App Attest", () => {
  it("exchanges an attestation, and then assertions, for app tokens", async ({ server }) => {
    const device = await SyntheticDevice.create(chain);
    const keys = createRemoteJWKSet(new URL("/v1/jwks", server.integrityUrl));
    const { status, text } = await attest(server, device);
    expect(status).toBe(200);
    const { artifact, appCheckToken } = JSON.parse(text);
    expect(appCheckToken.ttl).toBe("3600s");
    const { payload } = await jwtVerify(appCheckToken.token, keys, { audience: `projects/${PROJECT.id}` });
    expect(payload).toMatchObject({ sub: IOS_APP, provider: "app_attest" });

    for (const [index, encoding] of (["base64", "base64url"] as const).entries()) {
      const response = await assert(server, device, Buffer.from(artifact, "base64"), index + 1, encoding);
      expect(response.status).toBe(200);
      const { token, ttl } = JSON.parse(response.text);
      expect(ttl).toBe("300s");
      expect((await jwtVerify(token, keys)).payload).toMatchObject({ sub: IOS_APP, provider: "app_attest" });
    }
  });

  it("accepts camelCase and URL-safe base64", async ({ server }) => {
    const device = await SyntheticDevice.create(chain);
    const challenge = await challengeOf(server);
    const body = {
      attestationStatement: (await attestationOf(device, challenge)).toString("base64url"),
      challenge: challenge.toString("base64url"),
      keyId: device.keyId.toString("base64url"),
    };
    const response = await call(server, "exchangeAppAttestAttestation", body);
    expect(response.status).toBe(200);
  });

  it("returns the same message for every failed step, and logs and counts the step", async ({ server }) => {
    const device = await SyntheticDevice.create(chain);
    const rejections = [
      await attest(server, device, { counter: 1 }),
      await attest(server, device, { aaguid: "appattestdevelop" }),
      await assert(server, device, Buffer.alloc(64), 1),
      await call(server, "exchangeAppAttestAttestation", {}),
      await call(server, "exchangeAppAttestAssertion", {
        artifact: "AAAA",
        assertion: "AAAA",
        challenge: "AAAA",
      }),
    ];
    for (const { status, text } of rejections) {
      const { reason, message } = errorOf(text);
      expect([status, reason, message]).toEqual([403, "APP_ATTESTATION_FAILED", "App attestation failed."]);
    }
    expect(new Set(rejections.map(({ text }) => text)).size).toBe(1);
    const logged = await loggedFailure(server, "environment");
    expect(logged).toMatchObject({
      ...{ project: PROJECT.number, app: IOS_APP, provider: "app_attest" },
      ...{ expected: "production", found: "development" },
    });
    const metrics = servedMetrics((await send(server.adminUrl, "/metrics")).text);
    const samples = metrics.get("waybill_attestation_failures_total")?.samples ?? [];
    const labels = { project: PROJECT.number, app: IOS_APP, provider: "app_attest" };
    expect(samples).toContainEqual({ labels: { ...labels, step: "environment" }, value: 1 });
    expect(samples).toContainEqual({ labels: { ...labels, step: "artifact" }, value: 1 });
  });

  it("treats an app without a team id like a failed step, and returns 404 for an unknown app", async ({
    server,
  }) => {
    const of = (id: string): string => `v1/projects/${PROJECT.id}/apps/${id}`;
    const created = await call(server, "generateAppAttestChallenge", {}, of("no-team"));
    const { challenge } = JSON.parse(created.text);
    const body = { challenge, key_id: "AAAA", attestation_statement: "AAAA" };
    const rejected = await call(server, "exchangeAppAttestAttestation", body, of("no-team"));
    expect([rejected.status, errorOf(rejected.text).message]).toEqual([403, "App attestation failed."]);
    expect(await loggedFailure(server, "app")).toMatchObject({ app: "no-team", found: "no teamId" });
    expect((await call(server, "generateAppAttestChallenge", undefined, of("x"))).status).toBe(404);
  });

  it("returns the same response for an unknown app and an unknown project, without the project number", async ({
    server,
  }) => {
    for (const project of [PROJECT.id, "no-such-project"]) {
      const resourceName = `projects/${project}/apps/none`;
      const { status, text } = await call(server, "generateAppAttestChallenge", {}, `v1/${resourceName}`);
      expect(status).toBe(404);
      expect(errorOf(text)).toMatchObject({
        message: `${resourceName} does not exist. Check the project and the app id.`,
        reason: "RESOURCE_NOT_FOUND",
        metadata: { resourceName },
      });
    }
  });

  it("lists, returns and revokes attested keys", async ({ server, viewer, editor }) => {
    const device = await SyntheticDevice.create(chain);
    const artifact = await artifactOf(server, device);
    await assert(server, device, artifact, 7);
    const name = `${APP}/attestedKeys/${device.keyId.toString("base64url")}`;
    const read = (path: string, token: string, method = "GET") =>
      send(server.integrityUrl, `/v1/${path}`, { method, token });
    const found = JSON.parse((await read(name, viewer)).text);
    expect(found).toEqual({ name, environment: "PRODUCTION", counter: "7", createTime: expect.any(String) });
    const listed = JSON.parse((await read(`${APP}/attestedKeys?pageSize=1000`, viewer)).text);
    expect(listed.attestedKeys).toContainEqual(found);

    expect((await read(name, viewer, "DELETE")).status).toBe(403);
    expect((await read(name, editor, "DELETE")).status).toBe(200);
    expect((await read(name, viewer)).status).toBe(404);
    expect((await read(name, editor, "DELETE")).status).toBe(404);
    expect((await assert(server, device, artifact, 8)).status).toBe(403);

    expect(await auditEntries(server, "method=DeleteAttestedKey")).toEqual([
      expect.objectContaining({
        principal: EDITOR,
        resource: name,
        changes: [
          { field: "counter", before: "7" },
          { field: "createTime", before: JSON.stringify(found.createTime) },
          { field: "environment", before: '"production"' },
        ],
      }),
    ]);
  });

  it("rejects bodies above 64 KiB", async ({ server }) => {
    const body = { attestation_statement: Buffer.alloc(60_000).toString("base64") };
    expect((await call(server, "exchangeAppAttestAttestation", body)).status).toBe(413);
  });

  it("preserves counters and used challenges when the process is killed", async ({ startServer }) => {
    const device = await SyntheticDevice.create(chain);
    const before = await startServer();
    const artifact = await artifactOf(before, device);
    const challenge = await challengeOf(before);
    const assertion = await device.assert(sha256(artifact, challenge), 1);
    const body = {
      artifact: artifact.toString("base64"),
      assertion: assertion.toString("base64"),
      challenge: challenge.toString("base64"),
    };
    expect((await call(before, "exchangeAppAttestAssertion", body)).status).toBe(200);
    await before.stop("SIGKILL");

    const after = await startServer();
    expect((await call(after, "exchangeAppAttestAssertion", body)).status).toBe(403);
    expect((await assert(after, device, artifact, 1)).status).toBe(403);
    expect((await assert(after, device, artifact, 2)).status).toBe(200);
  });
});
