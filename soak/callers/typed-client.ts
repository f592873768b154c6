import { WaybillClient, WaybillError } from "../../src/client/index.js";
import { CallFailure, connectionFailure } from "./call-failure.js";
import type { Caller, Config, Page, Repeat, Target } from "./caller.js";

/** Pauses that fit a server which is back within a second or two. */
const RETRY = { attempts: 4, firstPauseMs: 200, maxPauseMs: 5_000 };

/** The platform's own would keep connections for a minute, which nobody can close: they would look like a leak. */
const fetchOnce: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("connection", "close");
  return fetch(input, { ...init, headers });
};

/** Calls by `waybill/client`, which repeats calls by itself. */
export class TypedClientCaller implements Caller {
  readonly protocol = "waybill/client";
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

  async importEvents(project: string, lines: Buffer): Promise<number> {
    // One request for all.
    const { importedCount, optedOutCount } = await asked(
      this.#client.importEvents({ project, events: [lines], batchBytes: lines.length }),
    );
    return importedCount + optedOutCount;
  }

  /** There is no connection between two calls. */
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
