import { MAX_WATCHED_APPS } from "../../limits/data-limits.js";
import type { ProjectNumber } from "../../model/names.js";

/** A number of an app, for a metric. */
export interface AppCount {
  readonly project: ProjectNumber;
  /** App id; empty for the sum of all other apps in the project. */
  readonly app: string;
  readonly count: number;
}

/** Numbers by app, such as ongoing incidents, as of the last evaluation of each project. */
export class AppCounts {
  readonly #byProject = new Map<string, ReadonlyMap<string, number>>();

  /** @param apps numbers by app id. Apps with 0 can be absent. */
  set(project: string, apps: ReadonlyMap<string, number>): void {
    this.#byProject.set(project, apps);
  }

  /**
   * Returns the numbers of at most {@link MAX_WATCHED_APPS} apps, namely the highest ones. Each evaluated project also
   * has a number for its other apps.
   */
  byApp(): readonly AppCount[] {
    const all = [...this.#byProject].flatMap(([project, apps]) =>
      [...apps].filter(([, count]) => count > 0).map(([app, count]) => ({ project, app, count })),
    );
    all.sort((a, b) => b.count - a.count);
    const others = new Map([...this.#byProject.keys()].map((project) => [project, 0]));
    for (const { project, count } of all.slice(MAX_WATCHED_APPS)) {
      others.set(project, (others.get(project) ?? 0) + count);
    }
    return [
      ...all.slice(0, MAX_WATCHED_APPS),
      ...[...others].map(([project, count]) => ({ project, app: "", count })),
    ];
  }
}
