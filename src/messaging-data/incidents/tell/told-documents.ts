import type { DocumentStore } from "../../../control/document-store.js";
import { StoreUnavailableError } from "../../../model/store-error.js";
import type { ToldIncidents } from "./told-incident.js";

/** Attempts before a change that keeps losing to other processes fails. */
const MAX_ATTEMPTS = 20;

/** What a webhook knows of the incidents of projects, a document for each. */
export class ToldDocuments {
  readonly #documents: DocumentStore;
  readonly #webhook: string;

  /** @param webhook name of the webhook. */
  constructor(documents: DocumentStore, webhook: string) {
    this.#documents = documents;
    this.#webhook = webhook;
  }

  /**
   * @param project number, in decimal.
   * @throws StoreUnavailableError if the documents cannot be reached; Error if this one is damaged.
   */
  async read(project: string): Promise<ToldIncidents | undefined> {
    const text = await this.#documents.read(this.#nameOf(project));
    return text === undefined ? undefined : this.#decode(project, text);
  }

  /**
   * Changes what is known of a project.
   *
   * @param after returns what is known after the change; called again if another process was faster.
   * @throws StoreUnavailableError if the documents cannot be reached; Error if this one is damaged.
   */
  async change(
    project: string,
    after: (before: ToldIncidents | undefined) => ToldIncidents | undefined,
  ): Promise<void> {
    const name = this.#nameOf(project);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const text = await this.#documents.read(name);
      const next = after(text === undefined ? undefined : this.#decode(project, text));
      const nextText = next && JSON.stringify(next);
      if (nextText === undefined || nextText === text) return;
      if (await this.#documents.replace(name, text, nextText)) return;
    }
    throw new StoreUnavailableError(`${MAX_ATTEMPTS} attempts to change ${name} met other changes`);
  }

  #nameOf(project: string): string {
    return `webhook.${this.#webhook}.${project}`;
  }

  #decode(project: string, text: string): ToldIncidents {
    try {
      return JSON.parse(text) as ToldIncidents;
    } catch (cause) {
      throw new Error(`the document ${this.#nameOf(project)} is not JSON; remove it to begin anew`, {
        cause,
      });
    }
  }
}
