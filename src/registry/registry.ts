import { Followed } from "../control/followed.js";
import { RECORD_KINDS, type Records } from "../control/records.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { byBytes } from "../model/collections.js";
import { byNumber, type ProjectNumber } from "../model/names.js";
import { itemsAfter } from "../paging/page.js";
import {
  digestOf,
  type FileProject,
  policyEtag,
  policyKey,
  type RegisteredApp,
  type RegisteredProject,
  type StoredPolicy,
} from "./entries.js";
import { FileEntries, type RegistryFile } from "./file-entries.js";
import { type Binding, roleOf } from "./members.js";
import type { Named } from "./role-index.js";
import { StoredEntries } from "./stored-entries.js";

const KIND = RECORD_KINDS.registry;

/**
 * Projects, their apps and the roles on them, from the config file and from records. Reads use a local copy, which
 * shows changes of other processes within one second.
 */
export class Registry {
  readonly records: Records;
  readonly #followed: Followed;
  #stored = new StoredEntries();
  #config: RegistryFile = { projects: [], access: [] };
  #file = new FileEntries(this.#config, this.#stored.projects);
  /** Revision up to which the local copy is complete. */
  #revision = 0;

  private constructor(records: Records, maxStaleness?: number) {
    this.records = records;
    this.#followed = new Followed(() => this.#readOn(), maxStaleness);
    records.onChange(KIND, () => this.#followed.changed());
  }

  /**
   * Reads the stored projects, apps and policies.
   *
   * @param maxStaleness maximum time for which reads can miss changes of other processes, in milliseconds.
   * @throws StoreUnavailableError if the records cannot be read.
   * @throws the same errors as {@link setFile}.
   */
  static async open(records: Records, file: RegistryFile, maxStaleness?: number): Promise<Registry> {
    const registry = new Registry(records, maxStaleness);
    await registry.#followed.upToDate();
    registry.setFile(file);
    return registry;
  }

  /**
   * Replaces everything that the config file defines. A rule that names an unknown project applies once the project
   * exists.
   *
   * @throws Error, and changes nothing, if the file uses the id or number of a stored project. The message has a line
   * for each conflict.
   */
  setFile(file: RegistryFile): void {
    const problems = file.projects.flatMap((project, index) =>
      this.#conflictsOf(project, `projects[${index}]`),
    );
    if (problems.length > 0) throw new Error(problems.join("\n"));
    this.#config = file;
    this.#file = new FileEntries(file, this.#stored.projects);
  }

  /** Returns conflicts between a project in the config file and stored projects. */
  #conflictsOf({ id, number }: FileProject, path: string): readonly string[] {
    const names = { id, number };
    return (["id", "number"] as const).flatMap((key) => {
      const stored = this.#stored.projects.project(names[key]);
      if (stored === undefined || (stored.id === id && stored.number === number)) return [];
      return `${path}.${key}: ${names[key]} is in use by the project ${stored.id} (number ${stored.number}), which was created through the API`;
    });
  }

  /**
   * Waits until the copy has all changes that any process made up to one second ago. Returns `undefined` if the copy
   * already has them.
   *
   * @throws StoreUnavailableError, by rejection, if the changes cannot be read.
   */
  upToDate(): Promise<void> | undefined {
    return this.#followed.upToDate();
  }

  /** Reads all changes that any process has made so far. @throws the same errors as {@link upToDate}. */
  refresh(): Promise<void> {
    return this.#followed.refresh();
  }

  /** Finds a project by its id or its number (AIP-2510). */
  project(idOrNumber: string): RegisteredProject | undefined {
    const found = this.projectEvenDeleted(idOrNumber);
    return found?.deleteTime === undefined ? found : undefined;
  }

  /** Finds a project by its id or its number, even if it is deleted and not purged yet. */
  projectEvenDeleted(idOrNumber: string): RegisteredProject | undefined {
    return this.#file.projects.project(idOrNumber) ?? this.#stored.projects.project(idOrNumber);
  }

  /** Returns all projects that are not deleted. */
  get activeProjects(): readonly RegisteredProject[] {
    const ofFile = this.#file.projects.sorted;
    const isActive = ({ number, deleteTime }: RegisteredProject) =>
      deleteTime === undefined && this.#file.projects.project(number) === undefined;
    return [...ofFile, ...this.#stored.projects.sorted.filter(isActive)];
  }

  /**
   * Finds the project that an app belongs to, even if the app is removed. Uses the project number in the app ids that
   * the server assigns.
   */
  projectOfApp(appId: string): RegisteredProject | undefined {
    const [, number = ""] = appId.split(":");
    const project = this.project(number);
    const app = project && this.appEvenRemoved(project.number, appId);
    return app === undefined ? undefined : project;
  }

  /** Lists projects for which `isListed` returns true, sorted by number. */
  projectsAfter(
    after: ProjectNumber | undefined,
    limit: number,
    isListed: (project: RegisteredProject) => boolean,
  ): readonly RegisteredProject[] {
    const isAfter = ({ number }: RegisteredProject) => after === undefined || byNumber(number, after) > 0;
    const lists = [this.#file.projects.sorted, this.#stored.projects.sorted];
    const found = lists.flatMap((sorted) => itemsAfter(sorted, isAfter, limit, isListed));
    // The file can also define a stored project, if it was added to the file after it was created.
    const byName = new Map(found.toReversed().map((project) => [project.number, project]));
    return [...byName.values()].sort((a, b) => byNumber(a.number, b.number)).slice(0, limit);
  }

  /** Lists the projects on which a principal has at least a role, sorted by number. */
  projectsWithRole(
    principal: Named,
    role: Role,
    after: ProjectNumber | undefined,
    limit: number,
  ): readonly RegisteredProject[] {
    const isActive = ({ deleteTime }: RegisteredProject) => deleteTime === undefined;
    if (this.#file.roles.roleEverywhere(principal) >= role) return this.projectsAfter(after, limit, isActive);
    const isAfter = (number: ProjectNumber) => after === undefined || byNumber(number, after) > 0;
    const isListed = (number: ProjectNumber) =>
      this.project(number) !== undefined && this.roleOn(principal, number) >= role;
    const lists = [this.#file.roles, this.#stored.roles].flatMap((roles) => roles.projectsOf(principal));
    const numbers = lists.flatMap((sorted) => itemsAfter(sorted, isAfter, limit, isListed));
    const projects = [...new Set(numbers)].sort(byNumber).slice(0, limit);
    return projects.flatMap((number) => this.project(number) ?? []);
  }

  /** Returns a principal's role on a project, by its number. */
  roleOn(principal: Named, project: ProjectNumber): Role {
    return Math.max(
      this.#file.roles.roleOn(principal, project),
      this.#stored.roles.roleOn(principal, project),
    );
  }

  /** Returns a principal's role on all projects. Only the config file grants such roles. */
  roleEverywhere(principal: Named): Role {
    return this.#file.roles.roleEverywhere(principal);
  }

  app(project: ProjectNumber, id: string): RegisteredApp | undefined {
    const found = this.appEvenRemoved(project, id);
    return found?.deleteTime === undefined ? found : undefined;
  }

  /** Finds an app of a project, even if it is removed and not purged yet. */
  appEvenRemoved(project: ProjectNumber, id: string): RegisteredApp | undefined {
    return this.#file.projects.app(project, id) ?? this.#stored.projects.app(project, id);
  }

  /** Lists all apps in a project, including removed ones, sorted by id in byte order. */
  apps(project: ProjectNumber): readonly RegisteredApp[] {
    const [ofFile, stored] = [this.#file.projects.apps(project), this.#stored.projects.apps(project)];
    if (ofFile.length === 0) return stored;
    if (stored.length === 0) return ofFile;
    const onlyStored = stored.filter(({ id }) => this.#file.projects.app(project, id) === undefined);
    return [...ofFile, ...onlyStored].sort((a, b) => byBytes(a.id, b.id));
  }

  /** Lists the stored apps of all projects, in no order, without apps that the config file defines. */
  *storedApps(): Generator<RegisteredApp> {
    for (const app of this.#stored.projects.allApps())
      if (this.#file.projects.app(app.project, app.id) === undefined) yield app;
  }

  /** True if any principal has a role. */
  get hasMembers(): boolean {
    return !this.#file.roles.isEmpty || !this.#stored.roles.isEmpty;
  }

  /** Returns a project's bindings in the config file. */
  fileBindings(project: ProjectNumber): readonly Binding[] {
    return this.#file.bindings(project);
  }

  /** Returns the stored policy of a project; `undefined` if nobody has set it. */
  storedPolicy(project: ProjectNumber): StoredPolicy | undefined {
    return this.#stored.policy(project);
  }

  /** Returns an etag for a project's policy, which includes its bindings in the config file. */
  policyEtag(project: ProjectNumber): string {
    const key = policyKey(project);
    return policyEtag(key, this.revisionOf(key), digestOf(this.fileBindings(project)));
  }

  /** True if the config file makes a principal an owner of this project or of all projects. */
  hasFileOwner(project: ProjectNumber): boolean {
    return (
      this.#file.roles.isOwnedEverywhere ||
      this.fileBindings(project).some((binding) => roleOf(binding) === Role.OWNER)
    );
  }

  /** Returns a record's revision; 0 if it does not exist. */
  revisionOf(key: string): number {
    return this.#stored.revisionOf(key);
  }

  async #readOn(): Promise<void> {
    let [stored, last] = [this.#stored, this.#revision];
    for await (const { isWhole, records, revision } of this.records.changesSince(KIND, last)) {
      // A new copy is used once it is complete.
      if (isWhole) stored = new StoredEntries();
      for (const record of records) stored.apply(record);
      last = revision;
    }
    this.#stored = stored;
    this.#revision = last;
    if (!this.#file.isCurrent(stored.projects)) this.#file = new FileEntries(this.#config, stored.projects);
  }
}
