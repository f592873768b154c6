import {
  digestOf,
  type MirroredEntry,
  type Upstream,
  type UpstreamBody,
  type UpstreamError,
  type UpstreamPage,
} from "../upstream/upstream.js";

/** In-memory upstream with configurable failures. */
export class ArrayUpstream implements Upstream {
  readonly entries = new Map<string, readonly MirroredEntry[]>();
  /** Errors of walks by app id, each after a number of pages. */
  readonly failures = new Map<string, { readonly afterPages: number; readonly error: UpstreamError }>();
  /** Error of reads of the app list. */
  listError: UpstreamError | undefined;
  readonly problems: string[] = [];
  pageSize = 100;
  /** App ids in walk order. */
  readonly walked: string[] = [];
  /** Number of pages read so far. */
  read = 0;
  /** Maximum number of concurrent walks of one app so far. */
  maxWalksOfApp = 0;
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
    this.walked.push(appId);
    const open = (this.#open.get(appId) ?? 0) + 1;
    this.#open.set(appId, open);
    this.maxWalksOfApp = Math.max(this.maxWalksOfApp, open);
    try {
      const entries = this.entries.get(appId) ?? [];
      const failure = this.failures.get(appId);
      for (let page = 0; page === 0 || page * this.pageSize < entries.length; page++) {
        signal.throwIfAborted();
        if (failure?.afterPages === page) throw failure.error;
        await new Promise(setImmediate);
        const batch = entries.slice(page * this.pageSize, (page + 1) * this.pageSize);
        const url = `https://upstream.example/${appId}?page=${page}`;
        const body = Buffer.from(batch.map(({ original }) => original).join("\n"));
        const fetchedAt = this.#now();
        await keep({ url, fetchedAt, body });
        const digest = digestOf(body);
        if (digest === known) {
          yield { fetchedAt, digest, entries: [], problems: [] };
          return;
        }
        this.read++;
        yield { fetchedAt, digest, entries: batch, problems: [...this.problems] };
      }
    } finally {
      this.#open.set(appId, (this.#open.get(appId) ?? 1) - 1);
    }
  }

  async apps(): Promise<readonly string[]> {
    if (this.listError !== undefined) throw this.listError;
    return [...this.entries.keys()];
  }
}
