import type { RecordChange, RecordKind, RecordRange, Records, StoredRecord } from "../../control/records.js";
import { at } from "../../model/collections.js";
import { StoreUnavailableError } from "../../model/store-error.js";

/** Records in memory, with writes that can fail. */
export class MemoryRecords implements Pick<Records, "get" | "list" | "change"> {
  /** All records, by kind and key. */
  readonly stored = new Map<string, StoredRecord>();
  /** Number of writes that fail from now on. */
  failures = 0;
  #revision = 0;

  async get({ name }: RecordKind, key: string): Promise<StoredRecord | undefined> {
    return this.stored.get(`${name}/${key}`);
  }

  async list({ name }: RecordKind, { prefix = "", after = "", limit }: RecordRange): Promise<StoredRecord[]> {
    return [...this.stored]
      .filter(([place, { key }]) => place.startsWith(`${name}/${prefix}`) && key > after)
      .map(([, record]) => record)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, limit);
  }

  async change(changes: readonly RecordChange[]): Promise<number | undefined> {
    if (this.failures-- > 0) throw new StoreUnavailableError("full");
    const places = changes.map(({ kind, key }) => `${kind.name}/${key}`);
    for (const [index, { ifRevision }] of changes.entries()) {
      const { revision } = this.stored.get(at(places, index)) ?? { revision: 0 };
      if (ifRevision !== undefined && ifRevision !== revision) return undefined;
    }
    const revision = ++this.#revision;
    for (const { kind, key, value } of changes) {
      if (value === undefined) this.stored.delete(`${kind.name}/${key}`);
      else this.stored.set(`${kind.name}/${key}`, { key, value, revision });
    }
    return revision;
  }
}
