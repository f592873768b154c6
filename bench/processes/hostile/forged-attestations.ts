import { createHash } from "node:crypto";
import { encode } from "cborg";
import { createChain, SyntheticDevice } from "../../../src/integrity/attestation/testing/synthetic-device.js";
import type { Devices, ExchangeRequest } from "../../../test/support/data/devices.js";
import { neverCheck, runDeviceAttack } from "../../support/attest/device-attack.js";
import { keepDoing } from "../../support/reads/attack.js";

const PER_SECOND = 200;
const AT_ONCE = 32;
/** Size of an object that still fits into a body of 64 KiB, in bytes. */
const LARGE_BYTES = 45_000;
const DEPTH = 20_000;
const REFUSALS = new Set([400, 403]);

type Forgery = (devices: Devices, url: string) => Promise<ExchangeRequest>;

/** A genuine device's attestation, with a changed object. */
const changed =
  (change: (attestation: Buffer) => Uint8Array): Forgery =>
  async (devices, url) => {
    const { request } = await devices.attestation(url);
    const { attestation_statement: statement } = request.body as { attestation_statement: string };
    const attestation_statement = Buffer.from(change(Buffer.from(statement, "base64"))).toString("base64");
    return { ...request, body: { ...request.body, attestation_statement } };
  };

const ownChain = await createChain();
const FORGERIES: readonly Forgery[] = [
  changed(flipped),
  changed(() => Buffer.alloc(LARGE_BYTES, 0x81)),
  changed(() => Buffer.alloc(DEPTH, 0xa1)),
  changed(() => encode(Array(LARGE_BYTES / 2).fill(0))),
  changed((attestation) => Buffer.concat([attestation, Buffer.alloc(LARGE_BYTES - attestation.length)])),
  (devices, url) => attestation(devices, url, ownChain),
  (devices, url) => attestation(devices, url, devices.chain, { aaguid: "appattestdevelop" }),
  (devices, url) => attestation(devices, url, devices.chain, { appId: "TEAM123456.com.example.other" }),
];

/** Attestations that must not be accepted, each with a new challenge. */
await runDeviceAttack(async ({ integrityUrl, seconds }, devices) => {
  let [responded, accepted, other] = [0, 0, 0];
  const sent = await keepDoing({ seconds, perSecond: PER_SECOND, atOnce: AT_ONCE }, async (index) => {
    const forge = FORGERIES[index % FORGERIES.length] as Forgery;
    const { status } = await devices.post(integrityUrl, await forge(devices, integrityUrl));
    responded++;
    accepted += Number(status === 200);
    other += Number(!REFUSALS.has(status));
  });
  return {
    did: `${sent} forged attestations of ${FORGERIES.length} kinds`,
    checks: [
      neverCheck("forged attestations that are accepted", accepted, responded),
      neverCheck("forged attestations that get neither 400 nor 403", other, responded),
    ],
  };
});

async function attestation(
  devices: Devices,
  url: string,
  chain: Devices["chain"],
  parts: object = {},
): Promise<ExchangeRequest> {
  const device = await SyntheticDevice.create(chain);
  const challenge = await devices.challenge(url);
  const hash = createHash("sha256").update(challenge).digest();
  const body = {
    attestation_statement: (await device.attest(hash, parts)).toString("base64"),
    challenge: challenge.toString("base64"),
    key_id: device.keyId.toString("base64"),
  };
  return { method: "exchangeAppAttestAttestation", body };
}

/** Name and value of a device's receipt. The value is not signed, so its bits may change. */
const RECEIPT = "receipt";

/** Flips a random bit outside the receipt's value. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const receipt = copy.lastIndexOf(RECEIPT);
  const random = Math.floor(Math.random() * (copy.length - RECEIPT.length));
  const at = random < receipt ? random : random + RECEIPT.length;
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << Math.floor(Math.random() * 8)), at);
  return copy;
}
