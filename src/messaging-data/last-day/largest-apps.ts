import { MAX_MEASURED_APPS } from "../../limits/limits.js";

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
