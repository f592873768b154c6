import { generateKeyPairSync, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import { CONCURRENT_EXCHANGES } from "../support/attest/devices.js";
import { respondToQuestions } from "../support/process.js";
import { meanTime } from "../support/reads/in-parallel.js";

/** An exchange to repeat, and the number of repetitions. */
export interface CryptographyQuestion {
  readonly exchange: "attestation" | "assertion";
  readonly count: number;
}

const [verifyAsync, signAsync] = [promisify(verify), promisify(sign)];

const DATA = Buffer.alloc(256, "data");
const issuer = generateKeyPairSync("rsa", { modulusLength: 2_048 });
/** An attestation's leaf is signed on P-384. The server verifies each intermediate only once. */
const signers = {
  attestation: generateKeyPairSync("ec", { namedCurve: "P-384" }),
  assertion: generateKeyPairSync("ec", { namedCurve: "P-256" }),
};

/** Performs only the cryptography of exchanges, in the thread pool. Returns exchanges per second. */
respondToQuestions(async ({ exchange, count }: CryptographyQuestion): Promise<number> => {
  const { privateKey, publicKey } = signers[exchange];
  const signature = sign("sha256", DATA, privateKey);
  const start = performance.now();
  await meanTime(Array(count).fill(DATA), CONCURRENT_EXCHANGES, async (data: Buffer) => {
    if (!(await verifyAsync("sha256", data, publicKey, signature))) throw new Error("invalid signature");
    await signAsync("sha256", data, issuer.privateKey);
  });
  return (1_000 * count) / (performance.now() - start);
});
