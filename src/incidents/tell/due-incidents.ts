import type { Project } from "../../model/project.js";
import type { ToldDocuments } from "./told-documents.js";
import { isDue, messageIdOf, type ToldIncident } from "./told-incident.js";

/** A state of an incident that a webhook is to be told. */
export interface DueIncident {
  readonly project: Project;
  readonly known: ToldIncident;
}

/** The states of incidents that a webhook is to be told, as its documents have them. */
export class DueIncidents {
  readonly #documents: ToldDocuments;
  readonly #projects: ReadonlyMap<string, Project>;
  /** Numbers of projects whose documents may have something due. */
  readonly #pending: Set<string>;
  /** What was due at the last look. */
  #due: readonly DueIncident[] = [];
  /** Failed attempts by message. */
  readonly #failures = new Map<string, number>();

  /** @param projects the projects that the webhook is told of. */
  constructor(documents: ToldDocuments, projects: readonly Project[]) {
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
    // A judgement may add the project again meanwhile.
    this.#pending.delete(number);
    let due: readonly ToldIncident[] = [];
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

  #failuresOf(known: ToldIncident): number {
    return this.#failures.get(messageIdOf(known)) ?? 0;
  }
}
