import { StoreUnavailableError } from "../model/store-error.js";
import type { Json, RecordKind, Records } from "./records.js";

/** Maximum number of attempts for a change that conflicts with changes of other processes. */
const MAX_ATTEMPTS = 20;

/**
 * A record with a typed value. The value is the same object until the record changes. Callers share it and must not
 * modify it.
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

  /** @throws StoreUnavailableError if the record cannot be read. */
  async read(): Promise<T | undefined> {
    const found = await this.#records.get(this.#kind, this.#key);
    if (found === undefined) this.#last = undefined;
    else if (found.revision !== this.#last?.revision)
      this.#last = { revision: found.revision, value: found.value as T };
    return this.#last?.value;
  }

  /**
   * Changes the value.
   *
   * @param after returns the new value, or `undefined` to keep the old one. Called again after a conflict.
   * @throws StoreUnavailableError if the write fails. The change may have been made.
   */
  async change(after: (before: T | undefined) => T | undefined): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await this.read();
      const next = after(before);
      if (next === undefined) return;
      const known = this.#last;
      if (known !== undefined && JSON.stringify(next) === JSON.stringify(before)) {
        this.#last = { revision: known.revision, value: next };
        return;
      }
      const change = {
        kind: this.#kind,
        key: this.#key,
        value: next as Json,
        ifRevision: known?.revision ?? 0,
      };
      const revision = await this.#records.change([change]);
      if (revision === undefined) continue;
      this.#last = { revision, value: next };
      return;
    }
    throw new StoreUnavailableError(
      `${MAX_ATTEMPTS} attempts to change the record ${this.#kind.name} ${this.#key} conflicted with other changes`,
    );
  }
}
