import { createHash } from "node:crypto";
import { Agent } from "node:http";
import {
  CA_NOT_AFTER,
  CA_NOT_BEFORE,
  createChain,
  type SyntheticChain,
  SyntheticDevice,
} from "../../../src/integrity/attestation/testing/synthetic-device.js";
import { send } from "../../../test/support/http/exchange.js";
import { PROJECT, REGISTERED_APP } from "../waybill-server.js";

/** Number of exchanges at the same time, each on a connection of its own. */
export const CONCURRENT_EXCHANGES = 16;

const TEAM_ID = "TEAM123456";
const BUNDLE_ID = "com.example.app";

/** Returns the configuration keys of a server for the devices: their app, and no limits of calls. */
export const devicesConfig = (rootFile: string): object => ({
  projects: [
    {
      id: "bench-project",
      number: PROJECT,
      apps: [{ id: REGISTERED_APP, teamId: TEAM_ID, bundleId: BUNDLE_ID }],
    },
  ],
  access: [{ principal: "bench@example.com", projects: ["bench-project"], role: "editor" }],
  integrity: {
    attestation: { rootFile, requestsPerMinute: 100_000_000, requestsPerMinuteOfApp: 100_000_000 },
  },
});

/** A device with an attested key. */
interface AttestedDevice {
  readonly device: SyntheticDevice;
  readonly artifact: Buffer;
  counter: number;
}

/** A request of an exchange. */
export interface ExchangeRequest {
  readonly method: string;
  readonly body: object;
}

/** Devices of one app, which attest their keys and sign assertions. */
export class Devices {
  readonly chain: SyntheticChain;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT_EXCHANGES });

  private constructor(chain: SyntheticChain) {
    this.chain = chain;
  }

  static async create(): Promise<Devices> {
    return new Devices(await createChain());
  }

  /** Calls a method of the app. @returns status and text of the response. */
  async post(url: string, { method, body }: ExchangeRequest): Promise<{ status: number; text: string }> {
    return send(url, `/v1/projects/${PROJECT}/apps/${REGISTERED_APP}:${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      agent: this.#agent,
    });
  }

  /** Calls a method. @throws Error unless the response is a success. */
  async call<Result>(url: string, request: ExchangeRequest): Promise<Result> {
    const { status, text } = await this.post(url, request);
    if (status !== 200) throw new Error(`${request.method}: ${status} ${text}`);
    return JSON.parse(text) as Result;
  }

  /** Gets a challenge. */
  async challenge(url: string): Promise<Buffer> {
    const request = { method: "generateAppAttestChallenge", body: {} };
    return Buffer.from((await this.call<{ challenge: string }>(url, request)).challenge, "base64");
  }

  /** Prepares the attestation of a new device. */
  async attestation(url: string): Promise<{ device: SyntheticDevice; request: ExchangeRequest }> {
    const device = await SyntheticDevice.create(this.chain);
    const challenge = await this.challenge(url);
    const leaf = { notBefore: CA_NOT_BEFORE, notAfter: CA_NOT_AFTER };
    const attestation = await device.attest(sha256(challenge), { leaf });
    const body = {
      attestation_statement: attestation.toString("base64"),
      challenge: challenge.toString("base64"),
      key_id: device.keyId.toString("base64"),
    };
    return { device, request: { method: "exchangeAppAttestAttestation", body } };
  }

  /** Attests a new device. */
  async attest(url: string): Promise<AttestedDevice> {
    const { device, request } = await this.attestation(url);
    const { artifact } = await this.call<{ artifact: string }>(url, request);
    return { device, artifact: Buffer.from(artifact, "base64"), counter: 0 };
  }

  /** Prepares a device's next assertion. */
  async assertion(url: string, attested: AttestedDevice): Promise<ExchangeRequest> {
    const challenge = await this.challenge(url);
    const { device, artifact } = attested;
    const assertion = await device.assert(sha256(Buffer.concat([artifact, challenge])), ++attested.counter);
    const [a, b, c] = [artifact, assertion, challenge].map((bytes) => bytes.toString("base64"));
    return { method: "exchangeAppAttestAssertion", body: { artifact: a, assertion: b, challenge: c } };
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
