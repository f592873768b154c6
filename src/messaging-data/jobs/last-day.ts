import { MAX_MEASURED_APPS } from "../../limits/data-limits.js";
import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import { COUNTS, type DeliveryDataStore } from "../../store/delivery-data-store.js";
import { valueAt } from "../delivery-data/entry-columns.js";
import { readAll } from "../delivery-data/read-entries.js";

export interface AppFigures {
  readonly project: ProjectNumber;
  /** App id. Empty for the sum of several apps. */
  readonly app: string;
  readonly accepted: number;
  readonly delivered: number;
}

/** Sorts apps by their number of accepted messages, largest first. */
const bySize = (a: AppFigures, b: AppFigures): number => b.accepted - a.accepted;

/**
 * Selects the {@link MAX_MEASURED_APPS} apps with the most accepted messages, and sums the other apps of each project.
 * Memory and time per step have a limit, even if there are many apps.
 */
export class LargestApps {
  /** Unsorted apps. There are always fewer than twice as many as the result may have. */
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

  /** Returns the selected apps, largest first, followed by the sums of other apps. */
  all(): readonly AppFigures[] {
    this.#trim();
    return [...this.#apps, ...this.#others.values()];
  }

  #trim(): void {
    for (const small of this.#apps.sort(bySize).splice(MAX_MEASURED_APPS)) this.#addToOthers(small);
  }

  #addToOthers({ project, accepted, delivered }: AppFigures): void {
    const sum = this.#others.get(project) ?? { accepted: 0, delivered: 0 };
    this.#others.set(project, {
      project,
      app: "",
      accepted: sum.accepted + accepted,
      delivered: sum.delivered + delivered,
    });
  }
}

/** Numbers of messages of all projects on their last listed day. */
export class LastDayFigures {
  readonly #days = new Map<string, Day>();
  readonly #byProject = new Map<string, readonly AppFigures[]>();
  /** The result of {@link byApp}, until a project changes. */
  #byApp: readonly AppFigures[] | undefined;

  /** Sets a project's numbers. @param apps apps of the project, from {@link readApps}. */
  set(project: ProjectNumber, day: Day, apps: readonly AppFigures[]): void {
    this.#days.set(project, day);
    this.#byProject.set(project, apps);
    this.#byApp = undefined;
  }

  /** The last listed day of each project, by project number. */
  get days(): ReadonlyMap<string, Day> {
    return this.#days;
  }

  /** The largest apps of all projects, followed by the sums of other apps. */
  get byApp(): readonly AppFigures[] {
    if (this.#byApp === undefined) {
      const largest = new LargestApps();
      for (const figures of this.#byProject.values()) for (const app of figures) largest.add(app);
      this.#byApp = largest.all();
    }
    return this.#byApp;
  }
}

/** Number of entries to read at a time. Processing them blocks the event loop for some milliseconds. */
const ENTRIES_AT_ONCE = 2_000;

const ACCEPTED = COUNTS.indexOf("count_messages_accepted");
const DELIVERED = COUNTS.indexOf("delivered");

/**
 * Sums a project's entries on one day by app. Reads a limited number of entries at a time, so that other work can run
 * between reads.
 *
 * @returns the largest apps, and the sum of all other apps, which may be 0.
 * @throws StoreUnavailableError if the store cannot be reached; the abort reason of `signal`.
 */
export async function readApps(
  store: Pick<DeliveryDataStore, "readEntries">,
  project: ProjectNumber,
  day: Day,
  signal: AbortSignal,
): Promise<readonly AppFigures[]> {
  const apps = new LargestApps();
  // Entries are sorted by app id, so that an app's entries follow each other. The sum before the first app is empty.
  let sum = { project, app: "", accepted: 0, delivered: 0 };
  // If none of an app's entries has figures, its number of messages is unknown, which is not the same as 0.
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
      const app = at(appIds, row);
      if (app !== sum.app) {
        end();
        sum = { project, app, accepted: 0, delivered: 0 };
      }
      sum.accepted += valueAt(counts[ACCEPTED], row);
      sum.delivered += valueAt(counts[DELIVERED], row);
    }
  }
  end();
  return apps.all();
}
