import type { JsonDocument } from "../../control/json-document.js";
import type { Project, ProjectNumber } from "../../model/names.js";
import { isDue, messageIdOf, type NotifiedIncident, type NotifiedIncidents } from "./notified-incident.js";
import type { NotifiedReport, NotifiedReports } from "./notified-report.js";
import type { NotifiedTarget, NotifiedTargets } from "./notified-target.js";

/** An incident, target or report with its delivery state. */
type NotifiedRow = NotifiedIncident | NotifiedTarget | NotifiedReport;

/** A state that a webhook has yet to send. */
export interface DueMessage {
  readonly project: Project;
  readonly known: NotifiedRow;
}

/** Returns the document with a project's states that were reported to a webhook. */
export type DocumentOf<T> = (project: ProjectNumber) => JsonDocument<T>;

/** Documents of a webhook. Undefined for events that it does not receive. */
export interface WebhookDocuments {
  readonly incidents: DocumentOf<NotifiedIncidents> | undefined;
  readonly targets: DocumentOf<NotifiedTargets> | undefined;
  readonly reports: DocumentOf<NotifiedReports> | undefined;
}

/** The projects that a webhook covers. They can change at run time. */
export interface WebhookProjects {
  readonly all: () => readonly Project[];
  /** Finds a project by its number. */
  readonly find: (number: ProjectNumber) => Project | undefined;
}

/** The states that a webhook has not sent yet, as of the last {@link refresh} from its documents. */
export class DueMessages {
  readonly #documents: WebhookDocuments;
  readonly #projects: WebhookProjects;
  /** Numbers of the projects to read at the next refresh: changed projects, and projects with unsent states. */
  readonly #pending: Set<string>;
  #due: readonly DueMessage[] = [];
  /** Failed attempts by message id. */
  readonly #failures = new Map<string, number>();

  constructor(documents: WebhookDocuments, projects: WebhookProjects) {
    this.#documents = documents;
    this.#projects = projects;
    this.#pending = new Set(projects.all().map(({ number }) => number));
  }

  /** Includes a project in the next {@link refresh}. */
  add(project: string): void {
    this.#pending.add(project);
  }

  /** Records a failed attempt to send a state. */
  failed({ known }: DueMessage): void {
    this.#failures.set(messageIdOf(known), this.#failuresOf(known) + 1);
  }

  /** Returns how old the oldest unsent state is at `now`, in milliseconds; 0 if there is none. */
  lag(now: number): number {
    return this.#due.reduce((longest, { known }) => Math.max(longest, now - known.since), 0);
  }

  /**
   * The next state to send: the oldest one among the states with the fewest failed attempts. A message that always
   * fails therefore does not block others.
   */
  get next(): DueMessage | undefined {
    return this.#due.toSorted(
      ({ known: a }, { known: b }) => this.#failuresOf(a) - this.#failuresOf(b) || a.since - b.since,
    )[0];
  }

  /**
   * Reads the unsent states of all pending projects.
   *
   * @throws StoreUnavailableError if the documents cannot be read.
   */
  async refresh(): Promise<void> {
    const due: DueMessage[] = [];
    for (const number of [...this.#pending]) due.push(...(await this.#read(number)));
    if (due.length === 0) this.#failures.clear();
    this.#due = due;
  }

  /** Reads the unsent states of a project. The project stays pending as long as it has unsent states. */
  async #read(number: string): Promise<DueMessage[]> {
    const project = this.#projects.find(number);
    // Removed before the read, because an evaluation can add the project again during the read.
    this.#pending.delete(number);
    let due: readonly NotifiedRow[] = [];
    try {
      const { incidents, targets, reports } = this.#documents;
      const ofIncidents = await incidents?.(number).read();
      const ofTargets = await targets?.(number).read();
      const ofReports = await reports?.(number).read();
      due = [
        ...(ofIncidents?.incidents ?? []),
        ...(ofTargets?.targets ?? []),
        ...(ofReports?.reports ?? []),
      ].filter(isDue);
    } catch (error) {
      this.#pending.add(number);
      throw error;
    }
    if (project === undefined || due.length === 0) return [];
    this.#pending.add(number);
    return due.map((known) => ({ project, known }));
  }

  #failuresOf(known: NotifiedRow): number {
    return this.#failures.get(messageIdOf(known)) ?? 0;
  }
}
