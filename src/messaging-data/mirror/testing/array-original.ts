import type { MirroredEntry } from "../mirrored-entry.js";
import type { Original, OriginalError, OriginalPage } from "../original/original.js";

/** An original whose entries are in memory, and which fails as it is told. */
export class ArrayOriginal implements Original {
  readonly entries = new Map<string, readonly MirroredEntry[]>();
  /** What a walk through an app meets after some pages. */
  readonly faults = new Map<string, { readonly afterPages: number; readonly error: OriginalError }>();
  /** What reading the list of apps meets. */
  listFault: OriginalError | undefined;
  readonly problems: string[] = [];
  pageSize = 100;
  /** App ids in the order in which they were asked for. */
  readonly asked: string[] = [];
  /** Most walks of one app at a time so far. */
  mostWalksOfApp = 0;
  readonly #open = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async *pages(appId: string, signal: AbortSignal): AsyncGenerator<OriginalPage> {
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
        yield {
          url: `https://original.example/${appId}?page=${page}`,
          fetchedAt: this.#now(),
          body: Buffer.from(given.map(({ original }) => original).join("\n")),
          entries: given,
          problems: [...this.problems],
        };
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
