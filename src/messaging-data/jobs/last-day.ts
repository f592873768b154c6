import { MAX_MEASURED_APPS } from "../../limits/limits.js";
import type { Day } from "../../model/day.js";
import { COUNTS, type DeliveryDataStore } from "../../store/delivery-data-store.js";
import { readAll } from "../delivery-data/read-all.js";

/** Messages of an app on a day. */
export interface AppFigures {
  /** Project number, in decimal. */
  readonly project: string;
  /** Empty for several apps of the project together. */
  readonly app: string;
  readonly accepted: number;
  readonly delivered: number;
}

/** Sorts apps by their accepted messages, the most first. */
const bySize = (a: AppFigures, b: AppFigures): number => b.accepted - a.accepted;

/**
 * Keeps the {@link MAX_MEASURED_APPS} apps with the most accepted messages, and sums up the others of each project.
 * Memory and the time of each step are bounded, however many apps there are.
 */
export class LargestApps {
  /** Unsorted, and fewer than twice as many as are kept. */
  readonly #apps: AppFigures[] = [];
  readonly #others = new Map<string, AppFigures>();

  /** Adds an app, or the sum of several apps of a project. */
  add(figures: AppFigures): void {
    if (figures.app === "") {
      this.#addToOthers(figures);
      return;
    }
    this.#apps.push(figures);
    if (this.#apps.length >= 2 * MAX_MEASURED_APPS) this.#trim();
  }

  /** Returns the kept apps, the largest first, and the sum of the others of each project that has any. */
  all(): readonly AppFigures[] {
    this.#trim();
    return [...this.#apps, ...this.#others.values()];
  }

  #trim(): void {
    for (const small of this.#apps.sort(bySize).splice(MAX_MEASURED_APPS)) this.#addToOthers(small);
  }

  #addToOthers({ project, accepted, delivered }: AppFigures): void {
    const sum = this.#others.get(project);
    this.#others.set(project, {
      project,
      app: "",
      accepted: (sum?.accepted ?? 0) + accepted,
      delivered: (sum?.delivered ?? 0) + delivered,
    });
  }
}

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

/** Number of entries that are read at once, which holds up the event loop for some milliseconds. */
const ENTRIES_AT_ONCE = 2_000;

const ACCEPTED = COUNTS.indexOf("count_messages_accepted");
const DELIVERED = COUNTS.indexOf("delivered");

/**
 * Sums up the entries of a day of a project by app, a limited number of entries at a time: others have their turn in
 * between.
 *
 * @param project project number, in decimal.
 * @returns the largest apps with entries, and the sum of all others, which may be 0.
 * @throws StoreUnavailableError if the store cannot be reached; the reason of `signal` once it has aborted.
 */
export async function readApps(
  store: Pick<DeliveryDataStore, "readEntries">,
  project: string,
  day: Day,
  signal: AbortSignal,
): Promise<readonly AppFigures[]> {
  const apps = new LargestApps();
  // Entries come in the order of app ids: those of an app follow each other. The first sum is that of no apps.
  let sum = { project, app: "", accepted: 0, delivered: 0 };
  // An app whose entries all lack their figures has no number of messages, rather than none.
  const end = (): void => {
    if (sum.app === "" || sum.accepted > 0) apps.add(sum);
  };
  const entries = readAll(
    store,
    { project, until: day, filter: { kind: "day", comparison: "=", day }, limit: ENTRIES_AT_ONCE },
    signal,
  );
  for await (const { length, appIds, counts } of entries) {
    for (let row = 0; row < length; row++) {
      const app = appIds[row] ?? "";
      if (app !== sum.app) {
        end();
        sum = { project, app, accepted: 0, delivered: 0 };
      }
      sum.accepted += counts[ACCEPTED]?.[row] ?? 0;
      sum.delivered += counts[DELIVERED]?.[row] ?? 0;
    }
  }
  end();
  return apps.all();
}
