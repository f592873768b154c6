import type { DurationJson } from "@bufbuild/protobuf/wkt";
import { type ServiceError, status } from "@grpc/grpc-js";
import type { Random } from "../../src/simulator/random.js";
import { GrpcService, wireErrorOf } from "../../test/support/http/grpc.js";
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

const INTEGRITY = "waybill.integrity.v1.IntegrityService";
const MESSAGING_DATA = "waybill.messagingdata.v1beta1.MessagingDataService";

/** Reconnects quickly: the default pauses of up to two minutes exceed the outages here. */
const CHANNEL = { "grpc.initial_reconnect_backoff_ms": 100, "grpc.max_reconnect_backoff_ms": 1_000 };

interface GrpcConfig {
  readonly name?: string;
  readonly tokenTtl?: { readonly seconds?: string; readonly nanos?: number };
  readonly etag?: string;
}

/** Calls by gRPC, with the most common client for Node.js. */
export class GrpcCaller implements Caller {
  readonly protocol = "gRPC";
  readonly #target: Target;
  readonly #random: Random;
  #integrity: GrpcService | undefined;
  #messagingData: GrpcService | undefined;

  constructor(target: Target, random: Random) {
    this.#target = target;
    this.#random = random;
  }

  async getConfig(name: string): Promise<Config> {
    return configOf(await this.#askIntegrity<GrpcConfig>("GetAppAttestConfig", { name }));
  }

  async batchGetConfigs(project: string, apps: readonly string[]): Promise<readonly Config[]> {
    const names = apps.map((app) => `projects/${project}/apps/${app}/appAttestConfig`);
    const request = { parent: `projects/${project}`, names };
    const { configs = [] } = await this.#askIntegrity<{ configs?: GrpcConfig[] }>(
      "BatchGetAppAttestConfigs",
      request,
    );
    return configs.map(configOf);
  }

  async changeConfig({ tokenTtl, ...config }: Config): Promise<Config> {
    const [seconds, fraction = ""] = (tokenTtl ?? "").slice(0, -1).split(".");
    const ttl = { seconds, nanos: Number(fraction.padEnd(9, "0")) };
    const request = { appAttestConfig: { ...config, tokenTtl: ttl }, updateMask: { paths: ["token_ttl"] } };
    return configOf(await this.#askIntegrity<GrpcConfig>("UpdateAppAttestConfig", request));
  }

  walk(parent: string, pageSize: number, repeat: Repeat): Promise<readonly Page[]> {
    return walkPages(repeat, (pageToken) =>
      this.#askMessagingData<Page>("ListAndroidDeliveryData", { parent, pageSize, pageToken }),
    );
  }

  sumByLabel(parent: string): Promise<Sums> {
    return this.#askMessagingData<Sums>("AggregateAndroidDeliveryData", {
      parent,
      groupBy: ["ANALYTICS_LABEL"],
    });
  }

  /** Sends messages of varying size, like a client that reads a file. */
  async importEvents(project: string, lines: Buffer): Promise<number> {
    this.#messagingData ??= new GrpcService(this.#target.messagingDataUrl, MESSAGING_DATA, CHANNEL);
    const { stream, response } = this.#messagingData.upload("ImportMessageEvents", {
      token: this.#target.token,
    });
    const size = 1_000 + this.#random.below(100_000);
    for (let start = 0; start < lines.length; start += size) {
      const events = { contentType: "application/x-ndjson", data: lines.subarray(start, start + size) };
      stream.write(start === 0 ? { parent: `projects/${project}`, events } : { events });
    }
    stream.end();
    const { importedCount = "0", optedOutCount = "0" } = await response.catch(rethrow);
    return Number(importedCount) + Number(optedOutCount);
  }

  disconnect(): void {
    this.#integrity?.close();
    this.#messagingData?.close();
    this.#integrity = undefined;
    this.#messagingData = undefined;
  }

  #askIntegrity<T>(method: string, request: object): Promise<T> {
    this.#integrity ??= new GrpcService(this.#target.integrityUrl, INTEGRITY, CHANNEL);
    return this.#ask(this.#integrity, method, request);
  }

  #askMessagingData<T>(method: string, request: object): Promise<T> {
    this.#messagingData ??= new GrpcService(this.#target.messagingDataUrl, MESSAGING_DATA, CHANNEL);
    return this.#ask(this.#messagingData, method, request);
  }

  async #ask<T>(service: GrpcService, method: string, request: object): Promise<T> {
    const { message } = await service.unary(method, request, { token: this.#target.token }).catch(rethrow);
    // Objects of this client have hidden properties.
    return JSON.parse(JSON.stringify(message));
  }
}

/** Translates failures. Only the server's own errors have details. */
function rethrow(error: ServiceError): never {
  if (error.metadata === undefined || error.metadata.get("grpc-status-details-bin").length === 0) {
    throw connectionFailure(error);
  }
  throw new CallFailure(status[error.code] ?? "", wireErrorOf(error).reason, error.details, error);
}

function configOf({ tokenTtl, ...config }: GrpcConfig): Config {
  return { ...config, ...(tokenTtl !== undefined && { tokenTtl: durationOf(tokenTtl) }) };
}

/** A duration in ProtoJSON: seconds with zero, three, six or nine decimals. */
function durationOf({ seconds = "0", nanos = 0 }: NonNullable<GrpcConfig["tokenTtl"]>): DurationJson {
  const digits = String(nanos)
    .padStart(9, "0")
    .replace(/(?:000){1,3}$/, "");
  return `${seconds}${digits === "" ? "" : `.${digits}`}s`;
}
