import { StoreUnavailableError } from "../model/store-error.js";
import type { DocumentStore } from "./document-store.js";

/** Attempts before a change that keeps losing to other processes fails. */
const MAX_ATTEMPTS = 20;

/**
 * A document in JSON. As long as its text is the same, it is parsed once, and never by those who wrote it: they share its
 * value, which must not change.
 */
export class JsonDocument<T> {
  readonly #documents: DocumentStore;
  readonly #name: string;
  #last: { readonly text: string; readonly value: T } | undefined;

  constructor(documents: DocumentStore, name: string) {
    this.#documents = documents;
    this.#name = name;
  }

  /** @throws StoreUnavailableError if the documents cannot be reached; Error if this one is damaged. */
  async read(): Promise<T | undefined> {
    return this.#decode(await this.#documents.read(this.#name));
  }

  /**
   * Changes the document.
   *
   * @param after returns it after the change; called again if another process was faster.
   * @throws as {@link read}.
   */
  async change(after: (before: T | undefined) => T | undefined): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const text = await this.#documents.read(this.#name);
      const next = after(this.#decode(text));
      if (next === undefined) return;
      const nextText = JSON.stringify(next);
      if (nextText === text || (await this.#documents.replace(this.#name, text, nextText))) {
        this.#last = { text: nextText, value: next };
        return;
      }
    }
    throw new StoreUnavailableError(`${MAX_ATTEMPTS} attempts to change ${this.#name} met other changes`);
  }

  #decode(text: string | undefined): T | undefined {
    if (text === undefined) return undefined;
    if (text === this.#last?.text) return this.#last.value;
    try {
      this.#last = { text, value: JSON.parse(text) as T };
    } catch (cause) {
      throw new Error(`the document ${this.#name} is not JSON; remove it to begin anew`, { cause });
    }
    return this.#last.value;
  }
}
