import { createHash } from "node:crypto";
import { Agent } from "node:http";
import {
  APP_ID,
  CA_NOT_AFTER,
  CA_NOT_BEFORE,
  createChain,
  type SyntheticChain,
  SyntheticDevice,
} from "../../../src/integrity/attestation/testing/synthetic-device.js";
import { type HttpResponse, send } from "../http/exchange.js";

/** The registered fields of the devices' app. */
export const APPLE_APP = { teamId: APP_ID.slice(0, 10), bundleId: APP_ID.slice(11) };

/** Returns the configuration key for the devices' root certificate, without limits of calls. */
export const attestationConfig = (rootFile: string) => ({
  rootFile,
  requestsPerMinute: 100_000_000,
  requestsPerMinuteOfApp: 100_000_000,
});

const MAX_CONNECTIONS = 64;

export interface AttestedDevice {
  readonly device: SyntheticDevice;
  readonly artifact: Buffer;
  /** Counter of the last signed assertion. */
  counter: number;
}

export interface ExchangeRequest {
  readonly method: string;
  readonly body: object;
}

/** Devices of one app, which attest their keys and sign assertions. */
export class Devices {
  readonly chain: SyntheticChain;
  readonly #app: string;
  readonly #agent: Agent;

  private constructor(chain: SyntheticChain, app: string, localAddress?: string) {
    this.chain = chain;
    this.#app = app;
    this.#agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, localAddress });
  }

  /** @param app the app's resource name. */
  static async create(app: string): Promise<Devices> {
    return new Devices(await createChain(), app);
  }

  /** Returns more devices with the same root certificate that call from another address. */
  at(localAddress: string): Devices {
    return new Devices(this.chain, this.#app, localAddress);
  }

  /** The root certificate that a server must trust, in PEM. */
  get root(): string {
    return this.chain.root.certificate.toString("pem");
  }

  /** Sends a request without a token. */
  post(url: string, { method, body }: ExchangeRequest): Promise<HttpResponse> {
    return send(url, `/v1/${this.#app}:${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      agent: this.#agent,
    });
  }

  /** Sends a request. @throws Error unless the response is a success. */
  async call<Result>(url: string, request: ExchangeRequest): Promise<Result> {
    const { status, text } = await this.post(url, request);
    if (status !== 200) throw new Error(`${request.method}: ${status} ${text}`);
    return JSON.parse(text) as Result;
  }

  async challenge(url: string): Promise<Buffer> {
    const request = { method: "generateAppAttestChallenge", body: {} };
    return Buffer.from((await this.call<{ challenge: string }>(url, request)).challenge, "base64");
  }

  /** Prepares a new device and its attestation. */
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

  async attest(url: string): Promise<AttestedDevice> {
    const { device, request } = await this.attestation(url);
    const { artifact } = await this.call<{ artifact: string }>(url, request);
    return { device, artifact: Buffer.from(artifact, "base64"), counter: 0 };
  }

  /** Prepares a device's assertion, by default with the next counter. */
  async assertion(
    url: string,
    attested: AttestedDevice,
    counter = ++attested.counter,
  ): Promise<ExchangeRequest> {
    const challenge = await this.challenge(url);
    const { device, artifact } = attested;
    const assertion = await device.assert(sha256(Buffer.concat([artifact, challenge])), counter);
    const body = {
      artifact: artifact.toString("base64"),
      assertion: assertion.toString("base64"),
      challenge: challenge.toString("base64"),
    };
    return { method: "exchangeAppAttestAssertion", body };
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
