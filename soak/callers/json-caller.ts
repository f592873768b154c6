import { gunzipSync, gzipSync } from "node:zlib";
import { errorOf } from "../../src/api/testing/error-of.js";
import type { Random } from "../../src/simulator/random.js";
import { importInto } from "../../test/support/data/import.js";
import type { HttpResponse, Sent } from "../../test/support/http/exchange.js";
import { zstdOf } from "../../test/support/zstd.js";
import { CallFailure, connectionFailure } from "./call-failure.js";
import {
  type Caller,
  type Config,
  type Page,
  type Repeat,
  type Sums,
  type Target,
  walkPages,
} from "./caller.js";

/** Sends one request by some version of HTTP. @throws any error unless the response is complete. */
export interface Exchange {
  send(url: string, target: string, sent: Sent): Promise<HttpResponse>;
  disconnect(): void;
}

/** Calls by HTTP and JSON. Some responses and imports are compressed. */
export class JsonCaller implements Caller {
  readonly protocol: string;
  readonly #exchange: Exchange;
  readonly #target: Target;
  readonly #random: Random;

  constructor(protocol: string, exchange: Exchange, target: Target, random: Random) {
    this.protocol = protocol;
    this.#exchange = exchange;
    this.#target = target;
    this.#random = random;
  }

  getConfig(name: string): Promise<Config> {
    return this.#call(this.#target.integrityUrl, `/v1/${name}`);
  }

  async batchGetConfigs(project: string, apps: readonly string[]): Promise<readonly Config[]> {
    const names = apps.map((app) => `names=projects/${project}/apps/${app}/appAttestConfig`).join("&");
    const target = `/v1/projects/${project}/apps/-/appAttestConfig:batchGet?${names}`;
    const { configs = [] } = await this.#call<{ configs?: Config[] }>(this.#target.integrityUrl, target);
    return configs;
  }

  changeConfig({ name, ...config }: Config): Promise<Config> {
    return this.#call(this.#target.integrityUrl, `/v1/${name}?updateMask=tokenTtl`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(config),
    });
  }

  walk(parent: string, pageSize: number, repeat: Repeat): Promise<readonly Page[]> {
    const target = `/v1beta1/${parent}/deliveryData?pageSize=${pageSize}&pageToken=`;
    return walkPages(repeat, (token) => this.#call(this.#target.messagingDataUrl, `${target}${token}`));
  }

  sumByLabel(parent: string): Promise<Sums> {
    const target = `/v1beta1/${parent}/deliveryData:aggregate?groupBy=ANALYTICS_LABEL`;
    return this.#call(this.#target.messagingDataUrl, target);
  }

  async importEvents(project: string, lines: Buffer): Promise<number> {
    const { body, ...coding } = this.#pack(lines);
    const headers = { "content-type": "application/x-ndjson", ...coding };
    const sent = { method: "POST", headers, body };
    const { importedCount = "0", optedOutCount = "0" } = await this.#call<Record<string, string>>(
      this.#target.messagingDataUrl,
      importInto(project),
      sent,
    );
    return Number(importedCount) + Number(optedOutCount);
  }

  disconnect(): void {
    this.#exchange.disconnect();
  }

  /** Compresses the lines with a random content coding, or none, and names the coding. */
  #pack(lines: Buffer): { readonly body: Buffer; readonly "content-encoding"?: string } {
    if (this.#random.chance(0.4)) return { body: lines };
    return this.#random.chance(0.5)
      ? { body: gzipSync(lines), "content-encoding": "gzip" }
      : { body: zstdOf(lines), "content-encoding": "zstd" };
  }

  async #call<T>(url: string, target: string, { headers, ...sent }: Sent = {}): Promise<T> {
    const coding = this.#random.chance(0.5) ? { "accept-encoding": "gzip" } : {};
    const request = { ...sent, token: this.#target.token, headers: { ...coding, ...headers } };
    const response = await this.#exchange.send(url, target, request).catch((error: unknown) => {
      throw connectionFailure(error);
    });
    const packed = response.headers["content-encoding"] === "gzip";
    const text = packed ? gunzipSync(response.bytes).toString() : response.text;
    if (response.status === 200) return JSON.parse(text);
    const { status, reason, message } = errorOf(text);
    if (response.status === 503 && response.headers["retry-after"] === undefined)
      throw new Error(`503 ${reason} without Retry-After`);
    throw new CallFailure(status, reason, message);
  }
}
