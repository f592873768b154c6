import { createPublicKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, test } from "vitest";
import { fileDirectory } from "../../../test/support/test-directory.js";
import {
  APP_ID,
  createChain,
  LEAF_NOT_BEFORE,
  SyntheticDevice,
} from "../../integrity/attestation/testing/synthetic-device.js";
import { sha256 } from "../../integrity/attestation/verify-attestation.js";
import { type CommandOutcome, runInProcess } from "../testing/run-in-process.js";

const folder = fileDirectory();

const challenge = Buffer.from("a challenge");
const clientData = Buffer.from("client data");
const at = new Date(LEAF_NOT_BEFORE).toISOString();
let device: SyntheticDevice;
let keyId: string;

const path = (name: string): string => join(folder, name);
const verify = async (...args: string[]): Promise<CommandOutcome> =>
  runInProcess(["attest", "verify", "--app-id", APP_ID, ...args]);
const verifyAttestation = async (...args: string[]): Promise<CommandOutcome> =>
  verify(
    ...["--root", path("root.pem"), "--key-id", keyId, "--at", at, "--challenge", base64(challenge)],
    ...args,
  );
const verifyAssertion = async (...args: string[]): Promise<CommandOutcome> =>
  verify("--assertion", path("assertion.b64"), "--public-key", path("key.pem"), ...args);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

beforeAll(async () => {
  const chain = await createChain();
  device = await SyntheticDevice.create(chain);
  keyId = base64(device.keyId);
  const attestation = await device.attest(sha256(challenge));
  const assertion = await device.assert(sha256(clientData), 8);
  const pem = createPublicKey({ key: device.publicKey, format: "der", type: "spki" }).export({
    format: "pem",
    type: "spki",
  });
  for (const [name, content] of Object.entries({
    "attestation.bin": attestation,
    "attestation.b64": `${base64(attestation)}\n`,
    "attestation.b64url": attestation.toString("base64url"),
    "attestation.mime": base64(attestation).replace(/.{76}/g, "$&\r\n"),
    "development.bin": await device.attest(sha256(challenge), { aaguid: "appattestdevelop" }),
    "assertion.bin": assertion,
    "assertion.b64": base64(assertion),
    "client-data.bin": clientData,
    "client-data.b64": base64(clientData),
    "root.pem": chain.root.certificate.toString("pem"),
    "root.der": Buffer.from(chain.root.certificate.rawData),
    "key.pem": pem,
    "key.der": device.publicKey,
    "key.b64": base64(device.publicKey),
    "key.point": device.point,
  }))
    writeFileSync(path(name), content);
});

describe("waybill attest verify", () => {
  it("prints one line for each step of a valid attestation", async () => {
    const { code, stdout, stderr } = await verifyAttestation("--attestation", path("attestation.b64"));
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {6}format {14}\d+ bytes of CBOR\n/);
    expect(stdout).toContain("ok      certificate_path    a path to CN=Synthetic Root CA\n");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .every((line) => line.startsWith("ok ")),
    ).toBe(true);
  });

  it("prints the expected value and the actual value of a failed step, and exits with code 1", async () => {
    const { code, stdout, stderr } = await verifyAttestation("--attestation", path("development.bin"));
    expect(code).toBe(1);
    expect(stdout).toContain("failed  environment         expected production; found development\n");
    expect(stderr).toBe("waybill: the attestation is not valid: environment\n");
  });

  test.each(["attestation.bin", "attestation.b64", "attestation.b64url", "attestation.mime"])(
    "reads an attestation from %s",
    async (file) => {
      expect((await verifyAttestation("--attestation", path(file))).code).toBe(0);
    },
  );

  it("prints JSON with the public key and the environment", async () => {
    const { stdout } = await verifyAttestation("--attestation", path("attestation.bin"), "--format", "json");
    const { steps, ...others } = JSON.parse(stdout);
    expect(others).toEqual({ ok: true, environment: "production", publicKey: base64(device.publicKey) });
    expect(steps).toHaveLength(13);
    expect(steps[9]).toEqual({ name: "counter", ok: true, expected: "0", found: "0" });
  });

  it("accepts a hash instead of the challenge, a root certificate in DER, and several environments", async () => {
    const flags = ["--root", path("root.der"), "--key-id", keyId, "--at", at];
    const hash = ["--client-data-hash", base64(sha256(challenge))];
    const environments = ["--environment", "production", "--environment", "development"];
    const outcome = await verify(
      "--attestation",
      path("development.bin"),
      ...flags,
      ...hash,
      ...environments,
    );
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
  });

  it("trusts only Apple's root by default", async () => {
    const flags = ["--challenge", base64(challenge), "--key-id", keyId, "--at", at];
    const { code, stdout } = await verify("--attestation", path("attestation.bin"), ...flags);
    expect(code).toBe(1);
    expect(stdout).toContain(
      "failed  certificate_path    expected a path to CN=Apple App Attestation Root CA",
    );
  });

  it("accepts an assertion with a higher counter than the previous one", async () => {
    const data = ["--client-data", path("client-data.bin")];
    expect((await verifyAssertion(...data)).code).toBe(0);
    expect((await verifyAssertion(...data, "--counter", "7")).code).toBe(0);
    const { code, stdout, stderr } = await verifyAssertion(...data, "--counter", "8");
    expect(code).toBe(1);
    expect(stdout).toContain("failed  counter             expected more than 8; found 8\n");
    expect(stderr).toBe("waybill: the assertion is not valid: counter\n");
  });

  test.each(["key.pem", "key.der", "key.b64", "key.point"])("reads a public key in %s", async (file) => {
    const key = ["--public-key", path(file), "--client-data", path("client-data.b64")];
    const { code, stdout } = await verify("--assertion", path("assertion.bin"), ...key, "--format", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, counter: 8 });
  });

  it("accepts a hash instead of the client data", async () => {
    expect((await verifyAssertion("--client-data-hash", base64(sha256(clientData)))).code).toBe(0);
    expect((await verifyAssertion("--client-data-hash", base64(sha256(challenge)))).code).toBe(1);
  });

  test.each<[string[], RegExp]>([
    [[], /set either --attestation or --assertion/],
    [["--attestation", "a", "--assertion", "b"], /set either --attestation or --assertion/],
    [["--attestation", path("none"), "--challenge", "AA=="], /--attestation .*none: there is no such file/],
    [["--attestation", path("key.pem"), "--challenge", "AA=="], /--key-id is required/],
    [["--attestation", path("key.pem"), "--key-id", "AA=="], /--challenge is required/],
    [
      ["--attestation", path("key.pem"), "--challenge", "AA==", "--counter", "1"],
      /--counter does not apply to --attestation/,
    ],
    [["--assertion", path("key.pem"), "--public-key", path("key.pem")], /--client-data is required/],
    [["--assertion", path("key.pem"), "--challenge", "AA=="], /--challenge does not apply to --assertion/],
    [["--attestation", path("key.pem"), "--challenge", "?"], /--challenge.*must be base64/],
    [
      ["--attestation", path("key.pem"), "--client-data-hash", "AA=="],
      /--client-data-hash.*must have 32 bytes, not 1/,
    ],
    [["--attestation", path("key.pem"), "--at", "today"], /--at.*must be a time/],
    [["--attestation", path("key.pem"), "--environment", "test"], /--environment.*production, development/],
    [["--assertion", path("key.pem"), "--counter", "-1"], /--counter.*whole number/],
    [["--assertion", path("key.pem"), "--counter", "4294967296"], /--counter.*whole number/],
    [["--app-id", "com", "--attestation", "a"], /--app-id.*team id, a dot, and a bundle id/],
  ])("rejects the arguments %j with a one-line message", async (flags, message) => {
    const { code, stderr } = await verify(...flags);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it("rejects a root file that is not a certificate", async () => {
    const flags = ["--attestation", path("attestation.bin"), "--challenge", "AA==", "--key-id", "AA=="];
    const { code, stderr } = await verify(...flags, "--root", path("key.b64"));
    expect(code).toBe(1);
    expect(stderr).toMatch(/--root .*key\.b64: unreadable certificate/);
  });

  it("escapes control characters of an object in its output", async () => {
    writeFileSync(path("odd.bin"), Buffer.from("a163666d74641b5b316d", "hex"));
    const { stdout } = await verifyAttestation("--attestation", path("odd.bin"));
    expect(stdout).toContain("found fmt \ufffd[1m\n");
  });
});
