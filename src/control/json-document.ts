import type { Json, RecordKind, Records } from "./records.js";
import { retryConflicts } from "./retry-conflicts.js";

/**
 * A record with a typed value. All callers share the value and must not modify it. It stays the same object until the
 * record changes.
 */
export class JsonDocument<T> {
  readonly #records: Pick<Records, "get" | "change">;
  readonly #kind: RecordKind;
  readonly #key: string;
  #last: { readonly revision: number; readonly value: T } | undefined;

  constructor(records: Pick<Records, "get" | "change">, kind: RecordKind, key: string) {
    this.#records = records;
    this.#kind = kind;
    this.#key = key;
  }

  /** Returns the value. @throws StoreUnavailableError if the record cannot be read. */
  async read(): Promise<T | undefined> {
    return (await this.#find())?.value;
  }

  /**
   * Changes the value.
   *
   * @param after returns the new value, or `undefined` to keep the old one. Called again if another process has changed
   * the record in between.
   * @throws StoreUnavailableError if the write fails. The record may have changed.
   */
  async change(after: (before: T | undefined) => T | undefined): Promise<void> {
    await retryConflicts(`the record ${this.#kind.name} ${this.#key}`, async () => {
      const found = await this.#find();
      const next = after(found?.value);
      if (next === undefined) return { result: undefined };
      if (found !== undefined && JSON.stringify(next) === JSON.stringify(found.value)) {
        this.#last = { revision: found.revision, value: next };
        return { result: undefined };
      }
      const change = {
        kind: this.#kind,
        key: this.#key,
        value: next as Json,
        ifRevision: found?.revision ?? 0,
      };
      const revision = await this.#records.change([change]);
      if (revision === undefined) return undefined;
      this.#last = { revision, value: next };
      return { result: undefined };
    });
  }

  /** Returns the value together with its revision, because another read can replace {@link #last} at any time. */
  async #find(): Promise<{ readonly revision: number; readonly value: T } | undefined> {
    const found = await this.#records.get(this.#kind, this.#key);
    if (found === undefined) this.#last = undefined;
    else if (found.revision !== this.#last?.revision)
      this.#last = { revision: found.revision, value: found.value as T };
    return this.#last;
  }
}
