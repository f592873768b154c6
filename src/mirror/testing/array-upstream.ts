import {
  digestOf,
  type MirroredEntry,
  placeOfApp,
  type Upstream,
  type UpstreamBody,
  type UpstreamError,
  type UpstreamPage,
} from "../upstream/upstream.js";

/** An upstream in memory that can be made to fail. */
export class ArrayUpstream implements Upstream {
  readonly entries = new Map<string, readonly MirroredEntry[]>();
  /** Errors by app id. Each occurs after a number of pages. */
  readonly failures = new Map<string, { readonly afterPages: number; readonly error: UpstreamError }>();
  /** Error to throw when the app list is read. */
  listError: UpstreamError | undefined;
  readonly problems: string[] = [];
  pageSize = 100;
  /** Ids of the apps that were read, in order. */
  readonly walked: string[] = [];
  /** Number of pages that were read. */
  read = 0;
  /** Maximum number of times that the same app was read concurrently. */
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
          yield { fetchedAt, digest, entries: new Map(), problems: [] };
          return;
        }
        this.read++;
        const placed = new Map(batch.map((entry) => [placeOfApp(entry.day, entry.label), entry]));
        yield { fetchedAt, digest, entries: placed, problems: [...this.problems] };
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
