import { JsonDocument } from "../../control/json-document.js";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import type { Project } from "../../model/names.js";
import { isDue, messageIdOf, type NotifiedIncident, type NotifiedIncidents } from "./notified-incident.js";

/** A state of an incident that a webhook is to be told. */
export interface DueIncident {
  readonly project: Project;
  readonly known: NotifiedIncident;
}

/** The states of incidents that a webhook is to be told, as its documents have them. */
export class DueIncidents {
  readonly #documents: NotifiedDocuments;
  readonly #projects: ReadonlyMap<string, Project>;
  /** Numbers of projects whose documents may have something due. */
  readonly #pending: Set<string>;
  /** What was due at the last look. */
  #due: readonly DueIncident[] = [];
  /** Failed attempts by message. */
  readonly #failures = new Map<string, number>();

  /** @param projects the projects that the webhook is told of. */
  constructor(documents: NotifiedDocuments, projects: readonly Project[]) {
    this.#documents = documents;
    this.#projects = new Map(projects.map((project) => [project.number, project]));
    this.#pending = new Set(this.#projects.keys());
  }

  /** Looks at a project again the next time. */
  add(project: string): void {
    this.#pending.add(project);
  }

  /** Notes that an attempt to tell a state has failed. */
  failed({ known }: DueIncident): void {
    this.#failures.set(messageIdOf(known), this.#failuresOf(known) + 1);
  }

  /** Returns the time since the oldest state was found, in milliseconds, as of the last look; 0 if nothing was due. */
  lag(now: number): number {
    return this.#due.reduce((longest, { known }) => Math.max(longest, now - known.since), 0);
  }

  /**
   * Reads what is due, and returns what to tell next: of what has failed least often, the oldest. One message that is
   * never taken does not stop the others.
   *
   * @throws StoreUnavailableError if the documents cannot be reached.
   */
  async next(): Promise<DueIncident | undefined> {
    const due: DueIncident[] = [];
    for (const number of [...this.#pending]) due.push(...(await this.#read(number)));
    if (due.length === 0) this.#failures.clear();
    this.#due = due;
    return due.sort(
      ({ known: a }, { known: b }) => this.#failuresOf(a) - this.#failuresOf(b) || a.since - b.since,
    )[0];
  }

  /** Reads what is due of a project, which is pending as long as anything is. */
  async #read(number: string): Promise<DueIncident[]> {
    const project = this.#projects.get(number);
    // An evaluation may add the project again meanwhile.
    this.#pending.delete(number);
    let due: readonly NotifiedIncident[] = [];
    try {
      due = (await this.#documents.read(number))?.incidents.filter(isDue) ?? [];
    } catch (error) {
      this.#pending.add(number);
      throw error;
    }
    if (project === undefined || due.length === 0) return [];
    this.#pending.add(number);
    return due.map((known) => ({ project, known }));
  }

  #failuresOf(known: NotifiedIncident): number {
    return this.#failures.get(messageIdOf(known)) ?? 0;
  }
}

/** What a webhook knows of the incidents of projects, a document for each. */
export class NotifiedDocuments {
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
  read(project: string): Promise<NotifiedIncidents | undefined> {
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
    after: (before: NotifiedIncidents | undefined) => NotifiedIncidents | undefined,
  ): Promise<void> {
    return this.#of(project).change(after);
  }

  #of(project: string): JsonDocument<NotifiedIncidents> {
    return new JsonDocument(this.#records, RECORD_KINDS.webhook, `${this.#webhook}/${project}`);
  }
}
