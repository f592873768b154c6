import { randomBytes, randomInt } from "node:crypto";
import { RECORD_KINDS } from "../control/records.js";
import { MAX_REGISTERED_APPS } from "../limits/data-limits.js";
import type { Clock, UnixMillis } from "../model/clock.js";
import type { ProjectNumber } from "../model/names.js";
import type { AuditNote } from "./audit/audit-note.js";
import {
  type AppValue,
  type AppValues,
  appKey,
  type EntryState,
  namespaceKey,
  type Platform,
  type PolicyValue,
  type ProjectValue,
  policyKey,
  projectIdKey,
  projectKey,
  type RegisteredApp,
  type RegisteredProject,
  storedValueOf,
} from "./entries.js";
import { type Binding, grantsOf, sortedBindings } from "./members.js";
import { RegistryPurge } from "./purge/registry-purge.js";
import type { Registry } from "./registry.js";
import { lastOwner, nameInUse, notFound, ofFile, tooManyApps, wrongState } from "./registry-errors.js";
import { type PlannedChange, RegistryWriter } from "./registry-writer.js";

const NAMES = RECORD_KINDS.registryName;
/** Maximum number of steps of a call that purges an app. */
const PURGE_STEPS = 50;

export interface RegistryChangesOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  /** Time from a deletion until the purge, in milliseconds. */
  readonly purgeAfter: number;
}

/** Changes projects, apps and policies. When a method resolves, its change is on disk and visible in this process. */
export class RegistryChanges {
  readonly #registry: Registry;
  readonly #writer: RegistryWriter;
  readonly #clock: Clock;
  readonly #purgeAfter: number;

  constructor({ registry, clock, purgeAfter }: RegistryChangesOptions) {
    this.#registry = registry;
    this.#writer = new RegistryWriter(registry);
    this.#clock = clock;
    this.#purgeAfter = purgeAfter;
  }

  /**
   * Creates a project with an owner.
   *
   * @throws ApiError `ALREADY_EXISTS` if the id is in use.
   * @throws StoreUnavailableError if the write fails.
   */
  async createProject(
    { id, displayName, owner }: Pick<RegisteredProject, "id" | "displayName"> & { readonly owner: string },
    note: AuditNote,
  ): Promise<RegisteredProject> {
    let number = "";
    await this.#writer.write(note, () => {
      if (this.#registry.projectEvenDeleted(id) !== undefined) throw nameInUse("projectId", id);
      do number = String(randomInt(100_000_000_000, 1_000_000_000_000));
      while (this.#registry.projectEvenDeleted(number) !== undefined);
      const value = { id, displayName, createTime: this.#clock.wall() } satisfies ProjectValue;
      const policy = { bindings: [{ role: "roles/owner", members: [owner] }] } satisfies PolicyValue;
      return [
        this.#writer.put(projectKey(number), value, 0),
        this.#writer.put(policyKey(number), policy, 0),
        { kind: NAMES, key: projectIdKey(id), value: { project: number }, ifRevision: 0 },
      ];
    });
    return this.#writer.project(number);
  }

  /** Changes a project's display name. @param check throws an error if the change is not allowed. */
  async renameProject(
    number: ProjectNumber,
    displayName: string,
    note: AuditNote,
    check: (current: RegisteredProject) => void,
  ): Promise<RegisteredProject> {
    await this.#changeProject(number, note, (current) => {
      check(current);
      return { displayName };
    });
    return this.#writer.project(number);
  }

  /**
   * Deletes a project. Access ends immediately, and the data is purged later.
   *
   * @throws ApiError if the project is already deleted.
   */
  async deleteProject(number: ProjectNumber, note: AuditNote): Promise<void> {
    await this.#changeProject(number, note, ({ id, deleteTime }) => {
      if (deleteTime !== undefined) throw wrongState(`projects/${id}`, "already deleted");
      return this.#deletion(this.#purgeAfter);
    });
  }

  /**
   * Restores a deleted project.
   *
   * @param check throws an error if the change is not allowed.
   * @throws ApiError if the project is not deleted, or if its purge time has passed.
   */
  async undeleteProject(
    number: ProjectNumber,
    note: AuditNote,
    check: (current: RegisteredProject) => void,
  ): Promise<void> {
    await this.#changeProject(number, note, (current) => {
      const { id, deleteTime } = current;
      if (deleteTime === undefined) throw wrongState(`projects/${id}`, "not deleted");
      if (!this.isRestorable(current)) throw notFound(`projects/${id}`);
      check(current);
      return { deleteTime: undefined, purgeTime: undefined };
    });
  }

  /**
   * Registers an app, and assigns its id.
   *
   * @throws ApiError `ALREADY_EXISTS` if another app uses the bundle id or package name.
   */
  async createApp(
    project: ProjectNumber,
    platform: Platform,
    values: AppValues,
    note: AuditNote,
  ): Promise<RegisteredApp> {
    const id = `1:${project}:${platform}:${randomBytes(8).toString("hex")}`;
    await this.#writer.write(note, () => {
      this.#writer.checkActive(project);
      const apps = this.#registry.apps(project).filter((app) => this.isRestorable(app));
      if (apps.length >= MAX_REGISTERED_APPS) throw tooManyApps(project);
      const value: AppValue = { ...values, platform };
      return [this.#writer.put(appKey(project, id), value, 0), ...this.#reserve(project, value, id)];
    });
    return this.#writer.app(project, id);
  }

  /** Changes an app's values. @param check throws an error if the change is not allowed. */
  async updateApp(
    { project, id }: RegisteredApp,
    values: Partial<AppValues>,
    note: AuditNote,
    check: (current: RegisteredApp) => void,
  ): Promise<RegisteredApp> {
    await this.#changeApp(project, id, note, check, (current) => [
      this.#writer.put(appKey(project, id), { ...storedValueOf(current), ...values }),
    ]);
    return this.#writer.app(project, id);
  }

  /**
   * Removes an app.
   *
   * @param immediate true to purge the app immediately. If it has many records, the rest is purged later.
   */
  async removeApp(
    { project, id }: RegisteredApp,
    immediate: boolean,
    note: AuditNote,
    check: (current: RegisteredApp) => void,
  ): Promise<RegisteredApp> {
    await this.#changeApp(project, id, note, check, (current) => {
      const after = { ...storedValueOf(current), ...this.#deletion(immediate ? 0 : this.#purgeAfter) };
      const { platform, namespace } = current;
      // If the app was removed before, another app can use its name now.
      const isReserved = namespace !== "" && current.deleteTime === undefined;
      const name = { kind: NAMES, key: namespaceKey(project, platform, namespace), value: undefined };
      return [this.#writer.put(appKey(project, id), after), ...(isReserved ? [name] : [])];
    });
    const removed = this.#writer.app(project, id);
    if (immediate) {
      await new RegistryPurge(this.#registry).purgeApp(removed, PURGE_STEPS);
      await this.#registry.refresh();
    }
    return removed;
  }

  /**
   * Restores a removed app.
   *
   * @throws ApiError `ALREADY_EXISTS` if another app uses the bundle id or package name now.
   */
  async undeleteApp(
    { project, id }: RegisteredApp,
    note: AuditNote,
    check: (current: RegisteredApp) => void,
  ): Promise<RegisteredApp> {
    await this.#changeApp(project, id, note, check, (current) => {
      const { deleteTime: _deleteTime, purgeTime: _purgeTime, ...value } = storedValueOf(current);
      if (!this.isRestorable(current)) throw notFound(`projects/${project}/apps/${id}`);
      return [this.#writer.put(appKey(project, id), value), ...this.#reserve(project, value, id)];
    });
    return this.#writer.app(project, id);
  }

  /**
   * Replaces a project's policy.
   *
   * @param bindings the whole policy, including all bindings in the config file.
   * @param check throws an error if the change is not allowed.
   * @throws ApiError `FAILED_PRECONDITION` if the policy omits a binding of the config file, or if nobody could restore
   * access.
   */
  async setPolicy(
    project: ProjectNumber,
    bindings: readonly Binding[],
    note: AuditNote,
    check: () => void,
  ): Promise<void> {
    await this.#writer.write(note, () => {
      this.#writer.checkActive(project);
      check();
      const [fixed, all] = [grantsOf(this.#registry.fileBindings(project)), grantsOf(bindings)];
      for (const grant of fixed) if (!all.has(grant)) throw ofFile(`the binding ${grant}`);
      const stored = sortedBindings(
        bindings.map(({ role, members }) => ({
          role,
          members: members.filter((member) => !fixed.has(`${role} ${member}`)),
        })),
      );
      const hasOwner = bindings.some(({ role, members }) => role === "roles/owner" && members.length > 0);
      if (!hasOwner && !this.#registry.hasFileOwner(project)) throw lastOwner(project);
      return [this.#writer.put(policyKey(project), { bindings: stored } satisfies PolicyValue)];
    });
  }

  /** Returns false for a deleted project or app from its purge time on, because data can be erased from then on. */
  isRestorable({ purgeTime }: EntryState): boolean {
    return purgeTime === undefined || purgeTime > this.#clock.wall();
  }

  #deletion(purgeAfter: number): { readonly deleteTime: UnixMillis; readonly purgeTime: UnixMillis } {
    const deleteTime = this.#clock.wall();
    return { deleteTime, purgeTime: deleteTime + purgeAfter };
  }

  /** Reserves an app's bundle id or package name in its project. */
  #reserve(project: ProjectNumber, { platform, namespace }: AppValue, id: string): PlannedChange[] {
    if (namespace === "") return [];
    const others = this.#registry
      .apps(project)
      .filter((app) => app.deleteTime === undefined && app.id !== id);
    if (others.some((app) => app.platform === platform && app.namespace === namespace)) {
      throw nameInUse(platform === "ios" ? "bundleId" : "packageName", namespace);
    }
    return [
      { kind: NAMES, key: namespaceKey(project, platform, namespace), value: { app: id }, ifRevision: 0 },
    ];
  }

  async #changeProject(
    number: ProjectNumber,
    note: AuditNote,
    change: (current: RegisteredProject) => Partial<ProjectValue>,
  ): Promise<void> {
    await this.#writer.write(note, () => {
      const current = this.#writer.project(number);
      const { id, displayName, createTime, deleteTime, purgeTime, isOfFile } = current;
      if (isOfFile || createTime === undefined) throw ofFile(`the project ${id}`);
      const value = { id, displayName, createTime, deleteTime, purgeTime, ...change(current) };
      return [this.#writer.put(projectKey(number), value satisfies ProjectValue)];
    });
  }

  async #changeApp(
    project: ProjectNumber,
    id: string,
    note: AuditNote,
    check: (current: RegisteredApp) => void,
    change: (current: RegisteredApp) => readonly PlannedChange[],
  ): Promise<void> {
    await this.#writer.write(note, () => {
      const current = this.#writer.app(project, id);
      if (current.isOfFile) throw ofFile(`the app ${id}`);
      check(current);
      return change(current);
    });
  }
}
