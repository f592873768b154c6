import type { MirroredEntry } from "../mirrored-entry.js";
import {
  digestOf,
  type Original,
  type OriginalBody,
  type OriginalError,
  type OriginalPage,
} from "../original/original.js";

/** An original whose entries are in memory, and which fails as it is told. */
export class ArrayOriginal implements Original {
  readonly entries = new Map<string, readonly MirroredEntry[]>();
  /** Faults of walks through apps, each after some pages. */
  readonly faults = new Map<string, { readonly afterPages: number; readonly error: OriginalError }>();
  /** Fault of reading the list of apps. */
  listFault: OriginalError | undefined;
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
    keep: (page: OriginalBody) => Promise<void>,
    known?: string,
  ): AsyncGenerator<OriginalPage> {
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
        const url = `https://original.example/${appId}?page=${page}`;
        const body = Buffer.from(given.map(({ original }) => original).join("\n"));
        const fetchedAt = this.#now();
        await keep({ url, fetchedAt, body });
        if (known !== undefined && digestOf(body) === known) {
          yield { url, fetchedAt, body, isKnown: true, entries: [], problems: [] };
          return;
        }
        this.read++;
        yield { url, fetchedAt, body, entries: given, problems: [...this.problems] };
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
