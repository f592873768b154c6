import type { DocumentStore } from "../../control/document-store.js";
import { StoreUnavailableError } from "../../model/store-error.js";

/** Documents in memory. */
export class MemoryDocuments implements DocumentStore {
  readonly texts = new Map<string, string>();
  /** Number of replacements that fail first. */
  failures = 0;

  async read(name: string): Promise<string | undefined> {
    return this.texts.get(name);
  }

  async replace(name: string, before: string | undefined, after: string): Promise<boolean> {
    if (this.failures-- > 0) throw new StoreUnavailableError("full");
    if (this.texts.get(name) !== before) return false;
    this.texts.set(name, after);
    return true;
  }
}
