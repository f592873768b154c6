import { eraseRecords } from "../../control/erase-records.js";
import { type Json, PROJECT_KINDS, RECORD_KINDS, type Records } from "../../control/records.js";
import type { UnixMillis } from "../../model/clock.js";
import type { ProjectNumber } from "../../model/names.js";
import type { AuditNote } from "../audit/audit-note.js";
import { appKey, type EntryState, projectIdKey, type RegisteredApp } from "../entries.js";
import type { Registry } from "../registry.js";
import type { PurgeSource } from "./purge-job.js";

const { registry: KIND, registryName: NAMES } = RECORD_KINDS;
/** Author of erasures, for the history of records. */
export const PURGE: AuditNote & Json = { principal: "", issuer: "", network: "", method: "purge" };
/** Time from the purge time until the first erasure, in milliseconds. The clocks of other processes can be slow. */
const MARGIN_MS = 600_000;

/** The deleted projects and apps of the registry. */
export class RegistryPurge implements PurgeSource {
  readonly #registry: Registry;
  readonly #records: Records;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#records = registry.records;
  }

  async dueForPurge(now: UnixMillis): Promise<readonly ProjectNumber[]> {
    await this.#registry.upToDate();
    // The config file can define a deleted project again.
    const isDeleted = (number: ProjectNumber) =>
      this.#registry.projectEvenDeleted(number)?.deleteTime !== undefined;
    return this.#registry
      .projectsAfter(
        undefined,
        Number.MAX_SAFE_INTEGER,
        (project) => isPurgeDue(project, now) && isDeleted(project.number),
      )
      .map(({ number }) => number);
  }

  async purged(project: ProjectNumber): Promise<void> {
    const id = this.#registry.projectEvenDeleted(project)?.id;
    if (id !== undefined) {
      await this.#records.change([{ kind: NAMES, key: projectIdKey(id), value: undefined }]);
    }
    await this.#eraseAll(NAMES, project);
    // Erases the apps first, because the project is due as long as its record exists.
    await this.#eraseAll(KIND, `${project}/apps`);
    await this.#eraseAll(KIND, project);
    await this.#registry.refresh();
  }

  /** Erases the records of all removed apps with a purge time up to `now`. Their delivery data remains. */
  async purgeApps(now: UnixMillis): Promise<readonly RegisteredApp[]> {
    await this.#registry.upToDate();
    const due: RegisteredApp[] = [];
    for (const app of this.#registry.storedApps()) if (isPurgeDue(app, now)) due.push(app);
    for (const app of due) await this.purgeApp(app);
    return due;
  }

  /**
   * Erases a removed app's records.
   *
   * @param maxSteps number of steps after which the rest is left to {@link purgeApps}.
   */
  async purgeApp({ project, id }: RegisteredApp, maxSteps = Number.POSITIVE_INFINITY): Promise<void> {
    for (let step = 0; !(await eraseRecords(this.#records, PROJECT_KINDS, `${project}/${id}`, PURGE)); step++)
      if (step >= maxSteps) return;
    const key = appKey(project, id);
    const ifRevision = this.#registry.revisionOf(key);
    await this.#records.change([{ kind: KIND, key, value: undefined, ifRevision, note: PURGE }]);
    await this.#eraseAll(KIND, key);
  }

  /** Erases a record and all records below its key. */
  async #eraseAll(kind: typeof KIND | typeof NAMES, key: string): Promise<void> {
    while (!(await eraseRecords(this.#records, [kind], key, PURGE)));
  }
}

const isPurgeDue = ({ purgeTime }: EntryState, now: UnixMillis): boolean =>
  purgeTime !== undefined && purgeTime + MARGIN_MS <= now;
