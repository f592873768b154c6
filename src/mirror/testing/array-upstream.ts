import {
  digestOf,
  type MirroredEntry,
  type Upstream,
  type UpstreamBody,
  type UpstreamError,
  type UpstreamPage,
} from "../upstream/upstream.js";

/** An upstream in memory, with set faults. */
export class ArrayUpstream implements Upstream {
  readonly entries = new Map<string, readonly MirroredEntry[]>();
  /** Faults of walks through apps, each after some pages. */
  readonly faults = new Map<string, { readonly afterPages: number; readonly error: UpstreamError }>();
  /** Fault of reading the list of apps. */
  listFault: UpstreamError | undefined;
  readonly problems: string[] = [];
  pageSize = 100;
  /** App ids in the order in which they were asked for. */
  readonly asked: string[] = [];
  /** Number of pages that were read so far. */
  read = 0;
  /** Most walks of one app at a time so far. */
  mostWalksOfApp = 0;
  readonly #open = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async *pages(
    appId: string,
    signal: AbortSignal,
    keep: (page: UpstreamBody) => Promise<void>,
    known?: string,
  ): AsyncGenerator<UpstreamPage> {
    this.asked.push(appId);
    const open = (this.#open.get(appId) ?? 0) + 1;
    this.#open.set(appId, open);
    this.mostWalksOfApp = Math.max(this.mostWalksOfApp, open);
    try {
      const entries = this.entries.get(appId) ?? [];
      const fault = this.faults.get(appId);
      for (let page = 0; page === 0 || page * this.pageSize < entries.length; page++) {
        signal.throwIfAborted();
        if (fault?.afterPages === page) throw fault.error;
        await new Promise(setImmediate);
        const given = entries.slice(page * this.pageSize, (page + 1) * this.pageSize);
        const url = `https://upstream.example/${appId}?page=${page}`;
        const body = Buffer.from(given.map(({ original }) => original).join("\n"));
        const fetchedAt = this.#now();
        await keep({ url, fetchedAt, body });
        const digest = digestOf(body);
        if (digest === known) {
          yield { fetchedAt, digest, entries: [], problems: [] };
          return;
        }
        this.read++;
        yield { fetchedAt, digest, entries: given, problems: [...this.problems] };
      }
    } finally {
      this.#open.set(appId, (this.#open.get(appId) ?? 1) - 1);
    }
  }

  async apps(): Promise<readonly string[]> {
    if (this.listFault !== undefined) throw this.listFault;
    return [...this.entries.keys()];
  }
}
