import { generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { CONCURRENT_EXCHANGES } from "../support/attest/devices.js";
import { respondToQuestions } from "../support/process.js";
import { meanTime } from "../support/reads/in-parallel.js";
import type { CalledServer } from "./devices.js";

export type Exchange = "attestation" | "assertion";

/** Starts a server, or calculates the signatures of exchanges. */
export type CryptographyQuestion =
  | { readonly work: "serve" }
  | { readonly work: "calculate"; readonly exchange: Exchange; readonly count: number };

const [verifyAsync, signAsync] = [promisify(verify), promisify(sign)];

const DATA = Buffer.alloc(256, "data");
const issuer = generateKeyPairSync("rsa", { modulusLength: 2_048 });
/** An attestation's leaf is signed on P-384. The server verifies each intermediate only once. */
const signers = {
  attestation: signerOn("P-384"),
  assertion: signerOn("P-256"),
};

/** Returns the server, or the processor time of an exchange in milliseconds. */
respondToQuestions(async (question: CryptographyQuestion): Promise<CalledServer | number> => {
  if (question.work === "serve") return serve();
  const { exchange, count } = question;
  const start = process.cpuUsage();
  await meanTime(Array(count).fill(exchange), CONCURRENT_EXCHANGES, async () => {
    await calculate(exchange);
  });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / count;
});

/** Verifies and signs as an exchange does, in the thread pool. Returns the token's signature. */
async function calculate(exchange: Exchange): Promise<Buffer> {
  const { publicKey, signature } = signers[exchange];
  if (!(await verifyAsync("sha256", DATA, publicKey, signature))) throw new Error("invalid signature");
  return signAsync("sha256", DATA, issuer.privateKey);
}

/**
 * Starts a minimal server for the same calls. It reads the body, calculates the signatures, and responds with a token.
 */
async function serve(): Promise<CalledServer> {
  const server = createServer(async (request, response) => {
    const body = JSON.stringify(await responseTo(request));
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { integrityUrl: `http://127.0.0.1:${port}`, pid: process.pid };
}

async function responseTo(request: IncomingMessage): Promise<object> {
  JSON.parse((await buffer(request)).toString());
  const base64 = (bytes: Buffer): string => bytes.toString("base64");
  if (request.url?.endsWith(":generateAppAttestChallenge")) return { challenge: base64(randomBytes(32)) };
  const isAttestation = request.url?.endsWith(":exchangeAppAttestAttestation");
  const signature = await calculate(isAttestation ? "attestation" : "assertion");
  const token = { token: `${DATA}.${base64(signature)}`, ttl: "3600s" };
  return isAttestation ? { artifact: base64(randomBytes(64)), appCheckToken: token } : token;
}

function signerOn(namedCurve: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve });
  return { publicKey, signature: sign("sha256", DATA, privateKey) };
}
