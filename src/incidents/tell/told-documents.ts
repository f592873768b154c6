import { JsonDocument } from "../../control/json-document.js";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import type { ToldIncidents } from "./told-incident.js";

/** What a webhook knows of the incidents of projects, a document for each. */
export class ToldDocuments {
  readonly #records: Pick<Records, "get" | "change">;
  readonly #webhook: string;

  /** @param webhook name of the webhook. */
  constructor(records: Pick<Records, "get" | "change">, webhook: string) {
    this.#records = records;
    this.#webhook = webhook;
  }

  /**
   * @param project number, in decimal.
   * @throws StoreUnavailableError if the records cannot be reached; Error if this one is damaged.
   */
  read(project: string): Promise<ToldIncidents | undefined> {
    return this.#of(project).read();
  }

  /**
   * Changes what is known of a project.
   *
   * @param after returns what is known after the change; called again if another process was faster.
   * @throws as {@link read}.
   */
  change(
    project: string,
    after: (before: ToldIncidents | undefined) => ToldIncidents | undefined,
  ): Promise<void> {
    return this.#of(project).change(after);
  }

  #of(project: string): JsonDocument<ToldIncidents> {
    return new JsonDocument(this.#records, RECORD_KINDS.webhook, `${this.#webhook}/${project}`);
  }
}
