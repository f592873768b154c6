import { type Json, RECORD_KINDS, type RecordChange } from "../control/records.js";
import { retryConflicts } from "../control/retry-conflicts.js";
import type { ProjectNumber } from "../model/names.js";
import { type AuditNote, noteOf } from "./audit/audit-note.js";
import type { RegisteredApp, RegisteredProject } from "./entries.js";
import type { Registry } from "./registry.js";
import { notFound } from "./registry-errors.js";

const KIND = RECORD_KINDS.registry;

/** A change that does not name its author yet. */
export type PlannedChange = Omit<RecordChange, "note">;

/** Plans changes of the registry from its current state, and writes them with their author. */
export class RegistryWriter {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Plans a change and writes it. Plans it again if another change is written first. */
  async write(note: AuditNote, plan: () => readonly PlannedChange[]): Promise<void> {
    await retryConflicts("the registry", async () => {
      await this.#registry.refresh();
      const changes = plan().map((change) =>
        change.kind === KIND ? { ...change, note: noteOf(change, note, this.#registry) } : change,
      );
      return (await this.#registry.records.change(changes)) === undefined ? undefined : { result: undefined };
    });
    await this.#registry.refresh();
  }

  /** Plans a new value of an entry; `undefined` deletes it. By default, requires its current revision. */
  put(key: string, value: object | undefined, ifRevision = this.#registry.revisionOf(key)): PlannedChange {
    return { kind: KIND, key, value: value as Json | undefined, ifRevision };
  }

  /** Returns a project, also if it is deleted. @throws ApiError `NOT_FOUND` if it does not exist. */
  project(number: ProjectNumber): RegisteredProject {
    const project = this.#registry.projectEvenDeleted(number);
    if (project === undefined) throw notFound(`projects/${number}`);
    return project;
  }

  /** @throws ApiError `NOT_FOUND` if the project was deleted after the call was authorized. */
  checkActive(project: ProjectNumber): void {
    if (this.#registry.project(project) === undefined) throw notFound(`projects/${project}`);
  }

  /** Returns an app, also if it is removed. @throws ApiError `NOT_FOUND` if it does not exist. */
  app(project: ProjectNumber, id: string): RegisteredApp {
    const app = this.#registry.appEvenRemoved(project, id);
    if (app === undefined) throw notFound(`projects/${project}/apps/${id}`);
    return app;
  }
}
