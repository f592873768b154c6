import { MAX_WATCHED_APPS } from "../../limits/limits.js";

/** Number of ongoing incidents of an app. */
export interface OngoingOfApp {
  /** Project number, in decimal. */
  readonly project: string;
  /** Empty for the apps of the project without a number of their own, together. */
  readonly app: string;
  readonly incidents: number;
}

/** The ongoing incidents of all projects, as of the last judgement of each. */
export class OngoingIncidents {
  readonly #byProject = new Map<string, ReadonlyMap<string, number>>();

  /** @param apps number of ongoing incidents by app id; apps without one may be missing. */
  set(project: string, apps: ReadonlyMap<string, number>): void {
    this.#byProject.set(project, apps);
  }

  /**
   * Returns a number for each app with ongoing incidents, of at most {@link MAX_WATCHED_APPS} apps: those with the most.
   * Each judged project also has one for its other apps.
   */
  byApp(): readonly OngoingOfApp[] {
    const all = [...this.#byProject].flatMap(([project, apps]) =>
      [...apps]
        .filter(([, incidents]) => incidents > 0)
        .map(([app, incidents]) => ({ project, app, incidents })),
    );
    all.sort((a, b) => b.incidents - a.incidents);
    const others = new Map([...this.#byProject.keys()].map((project) => [project, 0]));
    for (const { project, incidents } of all.slice(MAX_WATCHED_APPS)) {
      others.set(project, (others.get(project) ?? 0) + incidents);
    }
    return [
      ...all.slice(0, MAX_WATCHED_APPS),
      ...[...others].map(([project, incidents]) => ({ project, app: "", incidents })),
    ];
  }
}
