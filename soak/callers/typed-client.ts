import { WaybillClient, WaybillError } from "@waybill/client";
import { CallFailure, connectionFailure } from "./call-failure.js";
import type { Caller, Config, Page, Repeat, Sums, Target } from "./caller.js";

/** Retries with pauses for a server that returns within a second or two. */
const RETRY = { attempts: 4, firstPauseMs: 200, maxPauseMs: 5_000 };

/**
 * Time limit for a request. After a kill, a request may never get a response: the platform's fetch may keep it queued until
 * its next request to the server, and a checkpoint sends no next request.
 */
const MAX_FETCH_MS = 25_000;

/**
 * Closes connections after each call. The platform's fetch would keep them for a minute without a way to
 * close them, which would look like a leak.
 */
const fetchOnce: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("connection", "close");
  // The timer keeps the controller alive. A signal of `AbortSignal.any` could be garbage-collected before it aborts.
  const limit = new AbortController();
  setTimeout(() => limit.abort(new Error("no response")), MAX_FETCH_MS).unref();
  init?.signal?.addEventListener("abort", () => limit.abort(init.signal?.reason), { once: true });
  return fetch(input, { ...init, headers, signal: limit.signal });
};

/** Calls by `@waybill/client`, which retries on its own. */
export class TypedClientCaller implements Caller {
  readonly protocol = "@waybill/client";
  readonly #client: WaybillClient;

  constructor(target: Target) {
    this.#client = new WaybillClient({ ...target, retry: RETRY, fetch: fetchOnce });
  }

  getConfig(name: string): Promise<Config> {
    const [, project = "", , app = ""] = name.split("/");
    return asked(this.#client.getAppAttestConfig({ project, app }));
  }

  batchGetConfigs(project: string, apps: readonly string[]): Promise<readonly Config[]> {
    return asked(this.#client.batchGetAppAttestConfigs({ project, apps }));
  }

  changeConfig(appAttestConfig: Config): Promise<Config> {
    return asked(this.#client.updateAppAttestConfig({ appAttestConfig, updateMask: "tokenTtl" }));
  }

  walk(parent: string, pageSize: number, repeat: Repeat): Promise<readonly Page[]> {
    const [, project = "", , app = ""] = parent.split("/");
    return repeat(() => asked(collect(this.#client.listDeliveryData({ project, app, pageSize }).pages())));
  }

  async sumByLabel(parent: string): Promise<Sums> {
    return {
      groups: await asked(this.#client.aggregateDeliveryData({ parent, groupBy: ["ANALYTICS_LABEL"] })),
    };
  }

  async importEvents(project: string, lines: Buffer): Promise<number> {
    // Sends everything in one request.
    const { importedCount, optedOutCount } = await asked(
      this.#client.importEvents({ project, events: [lines], batchBytes: lines.length }),
    );
    return importedCount + optedOutCount;
  }

  /** Nothing to close: connections end with each call. */
  disconnect(): void {}
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error;
    if (error.reason === undefined) throw connectionFailure(error);
    throw new CallFailure(error.code, error.reason, error.message, error);
  }
}
