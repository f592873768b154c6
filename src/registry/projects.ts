import { at, byBytes } from "../model/collections.js";
import { byNumber, type ProjectNumber } from "../model/names.js";
import type { RegisteredApp, RegisteredProject } from "./entries.js";

/** A project, its apps, or both. */
interface ProjectEntry {
  readonly number: ProjectNumber;
  project: RegisteredProject | undefined;
  /** Sorted by id in byte order. A change replaces the list. */
  apps: readonly RegisteredApp[];
}

const NO_APPS: readonly RegisteredApp[] = [];

/** Projects and apps by their names. */
export class Projects {
  readonly #entries = new Map<ProjectNumber, ProjectEntry>();
  readonly #numbers = new Map<string, ProjectNumber>();
  /** A sorted copy, until something changes. */
  #sorted: readonly RegisteredProject[] | undefined;

  /** Finds a project by its id or its number (AIP-2510), even if it is deleted. */
  project(idOrNumber: string): RegisteredProject | undefined {
    return this.#entries.get(this.#numbers.get(idOrNumber) ?? idOrNumber)?.project;
  }

  /** All projects, sorted by number. */
  get sorted(): readonly RegisteredProject[] {
    this.#sorted ??= [...this.#entries.values()]
      .flatMap(({ project }) => project ?? [])
      .sort((a, b) => byNumber(a.number, b.number));
    return this.#sorted;
  }

  /** Returns the string that all entries of a project share, so that there is only one copy. */
  sharedNumber(number: ProjectNumber): ProjectNumber {
    return this.#entries.get(number)?.number ?? number;
  }

  /** Finds an app, even if it is removed. */
  app(project: ProjectNumber, id: string): RegisteredApp | undefined {
    const apps = this.apps(project);
    const app = apps[placeOf(apps, id)];
    return app?.id === id ? app : undefined;
  }

  /** Returns a project's apps, sorted by id in byte order. */
  apps(project: ProjectNumber): readonly RegisteredApp[] {
    return this.#entries.get(project)?.apps ?? NO_APPS;
  }

  /** Lists the apps of all projects, in no order. */
  *allApps(): Generator<RegisteredApp> {
    for (const { apps } of this.#entries.values()) yield* apps;
  }

  setProject(project: RegisteredProject): void {
    this.#entryOf(project.number).project = project;
    this.#numbers.set(project.id, project.number);
    this.#sorted = undefined;
  }

  removeProject(number: ProjectNumber): void {
    const entry = this.#entries.get(number);
    if (entry?.project === undefined) return;
    this.#numbers.delete(entry.project.id);
    entry.project = undefined;
    if (entry.apps.length === 0) this.#entries.delete(number);
    this.#sorted = undefined;
  }

  setApp(app: RegisteredApp): void {
    const entry = this.#entryOf(app.project);
    const place = placeOf(entry.apps, app.id);
    entry.apps = entry.apps.toSpliced(place, entry.apps[place]?.id === app.id ? 1 : 0, app);
  }

  removeApp(project: ProjectNumber, id: string): void {
    const entry = this.#entries.get(project);
    if (entry === undefined || this.app(project, id) === undefined) return;
    entry.apps = entry.apps.toSpliced(placeOf(entry.apps, id), 1);
    if (entry.apps.length === 0 && entry.project === undefined) this.#entries.delete(project);
  }

  #entryOf(number: ProjectNumber): ProjectEntry {
    let entry = this.#entries.get(number);
    if (entry === undefined) {
      entry = { number, project: undefined, apps: NO_APPS };
      this.#entries.set(number, entry);
    }
    return entry;
  }
}

/** Returns an app's place in sorted apps, or the place at which it can be inserted. */
function placeOf(apps: readonly RegisteredApp[], id: string): number {
  let [from, until] = [0, apps.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if (byBytes(at(apps, middle).id, id) < 0) from = middle + 1;
    else until = middle;
  }
  return from;
}
