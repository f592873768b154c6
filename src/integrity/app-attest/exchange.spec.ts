import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { ApiError } from "../../api/api-error.js";
import { testRecords } from "../../control/testing/test-records.js";
import { AdjustableClock, systemClock } from "../../model/clock.js";
import { appOfFile, type FileApp, type RegisteredApp } from "../../registry/entries.js";
import {
  createChain,
  LEAF_NOT_AFTER,
  LEAF_NOT_BEFORE,
  type SyntheticChain,
  SyntheticDevice,
} from "../attestation/testing/synthetic-device.js";
import { sha256 } from "../attestation/verify-attestation.js";
import { type AttestationFailure, AttestationFailures } from "../failures/attestation-failures.js";
import { Artifacts } from "./artifacts.js";
import { AttestedKeys } from "./attested-keys.js";
import { Challenges } from "./challenges.js";
import { AppAttestExchange } from "./exchange.js";

const PROJECT = "123456789012";
const FILE_APP: FileApp = { id: "an-app", teamId: "TEAM123456", bundleId: "com.example.app" };
const APP = appOfFile(PROJECT, FILE_APP);
const KEY = { project: PROJECT, appId: APP.id };
const NOTE = { principal: "bob", issuer: "test", network: "127.0.0.1", method: "DeleteAttestedKey" };
const DEVELOPMENT = { aaguid: "appattestdevelop" };

let directory: string;
let clock: AdjustableClock;
let failures: AttestationFailure[];
let chain: SyntheticChain;
let device: SyntheticDevice;
let server: Process;

interface Process {
  readonly challenges: Challenges;
  readonly keys: AttestedKeys;
  readonly artifacts: Artifacts;
  readonly exchange: AppAttestExchange;
}

beforeAll(async () => {
  chain = await createChain();
});
beforeEach(async () => {
  directory = await testDirectory();
  failures = [];
  clock = new AdjustableClock(systemClock);
  clock.set({ time: LEAF_NOT_BEFORE, rate: 0 });
  device = await SyntheticDevice.create(chain);
  server = await openProcess();
});

async function openProcess(): Promise<Process> {
  const records = await testRecords(directory, clock);
  const challenges = new Challenges(records, clock, clock);
  const keys = new AttestedKeys(records);
  const artifacts = await Artifacts.open(records);
  const onFailure = (_app: object, failure: AttestationFailure) => void failures.push(failure);
  const onStoreError = (error: unknown) => {
    throw error;
  };
  const parts = {
    records,
    challenges,
    keys,
    artifacts,
    root: chain.trusted,
    clock,
    failures: new AttestationFailures({ records, clock, machineClock: clock, onFailure, onStoreError }),
  };
  return { challenges, keys, artifacts, exchange: new AppAttestExchange(parts) };
}

async function attest(challenge: Uint8Array, app = APP, parts = {}): Promise<Buffer> {
  const attestation = await device.attest(sha256(challenge), parts);
  return server.exchange.attest(app, { attestation, challenge, keyId: device.keyId });
}

async function assert(artifact: Uint8Array, counter: number, to = server, app = APP): Promise<void> {
  const challenge = await to.challenges.create(KEY);
  const assertion = await device.assert(sha256(artifact, challenge), counter);
  return to.exchange.assert(app, { assertion, challenge, artifact });
}

const attestedWith = async (app?: RegisteredApp, parts?: object) =>
  attest(await server.challenges.create(KEY), app, parts);
const storedCounter = async () => (await server.keys.find(KEY, device.keyId.toString("base64url")))?.counter;

/** Waits for a failure, and returns its step. */
async function failedStep(exchange: Promise<unknown>): Promise<string | undefined> {
  const error = await exchange.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ httpStatus: 403, message: "App attestation failed.", metadata: {} });
  return failures.at(-1)?.step;
}

describe("an exchange of App Attest objects", () => {
  it("registers a key with the attestation, and raises its counter with each assertion", async () => {
    const artifact = await attestedWith();
    expect(await server.keys.list(KEY, undefined, 10)).toMatchObject([
      {
        keyId: device.keyId.toString("base64url"),
        counter: 0,
        environment: "production",
        createTime: LEAF_NOT_BEFORE,
      },
    ]);
    await assert(artifact, 1);
    await assert(artifact, 5);
    expect(await storedCounter()).toBe(5);
    expect(failures).toEqual([]);
  });

  it("rejects a counter that does not rise, also after a restart", async () => {
    const artifact = await attestedWith();
    await assert(artifact, 3);
    for (const counter of [3, 2, 0]) expect(await failedStep(assert(artifact, counter))).toBe("counter");
    expect(await failedStep(assert(artifact, 3, await openProcess()))).toBe("counter");
    expect(await storedCounter()).toBe(3);
  });

  it("accepts each challenge once, whether the exchange succeeds or fails", async () => {
    const [used, failed] = [await server.challenges.create(KEY), await server.challenges.create(KEY)];
    await attest(used);
    expect(await failedStep(attest(used))).toBe("challenge");
    expect(await failedStep(attest(failed, APP, { counter: 1 }))).toBe("counter");
    expect(await failedStep(attest(failed))).toBe("challenge");
  });

  it("rejects a challenge of another app, of another length, or older than five minutes", async () => {
    expect(await failedStep(attest(await server.challenges.create({ ...KEY, appId: "other" })))).toBe(
      "challenge",
    );
    const challenge = await server.challenges.create(KEY);
    clock.set({ time: LEAF_NOT_BEFORE + 299_999 });
    expect(await server.challenges.find(KEY, challenge)).toBeDefined();
    clock.set({ time: LEAF_NOT_BEFORE + 300_000 });
    expect(await failedStep(attest(challenge))).toBe("challenge");
    expect(await failedStep(attest(Buffer.alloc(31)))).toBe("challenge");
    expect(await failedStep(attest(Buffer.alloc(0)))).toBe("challenge");
  });

  it("accepts only one of 16 concurrent assertions with the same counter, in two processes", async () => {
    const artifact = await attestedWith();
    const processes = [server, await openProcess()];
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, (_, index) => assert(artifact, 1, processes[index % 2])),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(failures.map(({ step }) => step)).toEqual(Array(15).fill("counter"));
    expect(await storedCounter()).toBe(1);
  });

  it("accepts only one of 16 concurrent exchanges with the same challenge", async () => {
    const artifact = await attestedWith();
    const challenge = await server.challenges.create(KEY);
    const other = await openProcess();
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, async (_, index) => {
        const assertion = await device.assert(sha256(artifact, challenge), index + 1);
        return (index % 2 ? server : other).exchange.assert(APP, { assertion, challenge, artifact });
      }),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("keeps the counter when a key is attested again", async () => {
    await assert(await attestedWith(), 4);
    const artifact = await attestedWith();
    expect(await storedCounter()).toBe(4);
    expect(await failedStep(assert(artifact, 4))).toBe("counter");
  });

  it("rejects assertions by a revoked key until the key is attested again", async () => {
    const artifact = await attestedWith();
    await assert(artifact, 1);
    const keyId = device.keyId.toString("base64url");
    expect(await server.keys.delete(KEY, keyId, NOTE)).toBe(true);
    expect(await server.keys.delete(KEY, keyId, NOTE)).toBe(false);
    expect(await failedStep(assert(artifact, 2))).toBe("attested_key");
  });

  it("rejects a changed artifact and an artifact of another app", async () => {
    const artifact = await attestedWith();
    for (const index of [0, 40, artifact.length - 1]) {
      const changed = Buffer.from(artifact);
      changed[index] = (changed[index] as number) ^ 1;
      expect(await failedStep(assert(changed, 1))).toBe("artifact");
    }
    for (const wrong of [Buffer.alloc(0), artifact.subarray(0, 32), Buffer.concat([artifact, Buffer.of(0)])])
      expect(await failedStep(assert(wrong, 1))).toBe("artifact");
    const ofOther = server.artifacts.artifactOf({ ...KEY, appId: "other" }, device.keyId);
    expect(await failedStep(assert(ofOther, 1))).toBe("artifact");
  });

  it("rejects certificates outside their dates, according to the server clock", async () => {
    for (const time of [LEAF_NOT_BEFORE - 1, LEAF_NOT_AFTER + 1]) {
      clock.set({ time });
      expect(await failedStep(attestedWith())).toBe("certificate_dates");
    }
    clock.set({ time: LEAF_NOT_AFTER });
    await attestedWith();
  });

  it("accepts development keys only while the app allows them", async () => {
    const environments = ["production", "development"] as const;
    const allowing = appOfFile(PROJECT, { ...FILE_APP, attestation: { environments } });
    expect(await failedStep(attestedWith(APP, DEVELOPMENT))).toBe("environment");
    const artifact = await attestedWith(allowing, DEVELOPMENT);
    await assert(artifact, 1, server, allowing);
    expect(await failedStep(assert(artifact, 2, server, APP))).toBe("environment");
  });

  test.each<[string, FileApp, string]>([
    ["without a team id", { id: APP.id, bundleId: "com.example.app" }, "no teamId"],
    ["without a bundle id", { id: APP.id, platform: "ios", teamId: "TEAM123456" }, "no bundleId"],
    ["for Android", { id: APP.id, packageName: "com.example.app" }, "the platform android"],
    ["without a platform", { id: APP.id }, "the platform unknown"],
  ])("rejects an app %s", async (_name, app, found) => {
    expect(await failedStep(attestedWith(appOfFile(PROJECT, app)))).toBe("app");
    expect(failures).toMatchObject([{ provider: "app_attest", found }]);
  });

  it("rejects an attestation for another bundle id", async () => {
    const other = appOfFile(PROJECT, { ...FILE_APP, bundleId: "com.example.other" });
    expect(await failedStep(attestedWith(other))).toBe("rp_id_hash");
    const artifact = await attestedWith();
    expect(await failedStep(assert(artifact, 1, server, other))).toBe("rp_id_hash");
  });

  it("lists the keys of one app after a position, by key id", async () => {
    for (let index = 0; index < 3; index++) {
      device = await SyntheticDevice.create(chain);
      await attestedWith();
    }
    const ids = (await server.keys.list(KEY, undefined, 10)).map(({ keyId }) => keyId);
    expect(ids).toEqual(ids.toSorted());
    expect((await server.keys.list(KEY, ids[0], 1)).map(({ keyId }) => keyId)).toEqual([ids[1]]);
    expect(await server.keys.list({ ...KEY, appId: "an" }, undefined, 10)).toEqual([]);
  });
});
