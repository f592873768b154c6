import { byBytes } from "../model/collections.js";
import { byNumber, type ProjectNumber } from "../model/names.js";
import type { RegisteredApp, RegisteredProject } from "./entries.js";

/** Projects and apps by their names. */
export class Projects {
  readonly #projects = new Map<ProjectNumber, RegisteredProject>();
  readonly #numbers = new Map<string, ProjectNumber>();
  readonly #apps = new Map<ProjectNumber, Map<string, RegisteredApp>>();
  /** Sorted copies, until something changes. */
  #sorted: readonly RegisteredProject[] | undefined;
  readonly #sortedApps = new Map<ProjectNumber, readonly RegisteredApp[]>();

  /** Finds a project by its id or its number (AIP-2510), even if it is deleted. */
  project(idOrNumber: string): RegisteredProject | undefined {
    return this.#projects.get(this.#numbers.get(idOrNumber) ?? idOrNumber);
  }

  /** All projects, sorted by number. */
  get sorted(): readonly RegisteredProject[] {
    this.#sorted ??= [...this.#projects.values()].sort((a, b) => byNumber(a.number, b.number));
    return this.#sorted;
  }

  /** Finds an app, even if it is removed. */
  app(project: ProjectNumber, id: string): RegisteredApp | undefined {
    return this.#apps.get(project)?.get(id);
  }

  /** Returns a project's apps, sorted by id in byte order. */
  apps(project: ProjectNumber): readonly RegisteredApp[] {
    let sorted = this.#sortedApps.get(project);
    if (sorted === undefined) {
      sorted = [...(this.#apps.get(project)?.values() ?? [])].sort((a, b) => byBytes(a.id, b.id));
      this.#sortedApps.set(project, sorted);
    }
    return sorted;
  }

  /** Lists the apps of all projects, in no order. */
  *allApps(): Generator<RegisteredApp> {
    for (const apps of this.#apps.values()) yield* apps.values();
  }

  setProject(project: RegisteredProject): void {
    this.#projects.set(project.number, project);
    this.#numbers.set(project.id, project.number);
    this.#sorted = undefined;
  }

  removeProject(number: ProjectNumber): void {
    const project = this.#projects.get(number);
    if (project === undefined) return;
    this.#projects.delete(number);
    this.#numbers.delete(project.id);
    this.#sorted = undefined;
    this.#sortedApps.delete(number);
  }

  setApp(app: RegisteredApp): void {
    const apps = this.#apps.get(app.project) ?? new Map<string, RegisteredApp>();
    this.#apps.set(app.project, apps.set(app.id, app));
    this.#sortedApps.delete(app.project);
  }

  removeApp(project: ProjectNumber, id: string): void {
    const apps = this.#apps.get(project);
    apps?.delete(id);
    if (apps?.size === 0) this.#apps.delete(project);
    this.#sortedApps.delete(project);
  }
}
