import type { Day } from "../../model/day.js";
import { type AppFigures, LargestApps } from "./largest-apps.js";

/** The messages of all projects on their last listed day, as of the last reading of each. */
export class LastDayFigures {
  readonly #days = new Map<string, Day>();
  readonly #byProject = new Map<string, readonly AppFigures[]>();
  #byApp: readonly AppFigures[] = [];

  /**
   * @param project project number, in decimal.
   * @param apps the project's apps, and the sum of others.
   */
  set(project: string, day: Day, apps: readonly AppFigures[]): void {
    this.#days.set(project, day);
    this.#byProject.set(project, apps);
    const largest = new LargestApps();
    for (const figures of this.#byProject.values()) for (const app of figures) largest.add(app);
    this.#byApp = largest.all();
  }

  /** The last listed day of each project by its number. */
  get days(): ReadonlyMap<string, Day> {
    return this.#days;
  }

  /** The messages of the largest apps of all projects, and the sum of the others of each project. */
  get byApp(): readonly AppFigures[] {
    return this.#byApp;
  }
}
