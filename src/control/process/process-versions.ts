import type { Day } from "../../model/day.js";
import type { PublishedVersions } from "../published-versions.js";

interface Publication {
  /** First of the days that were published. */
  readonly day: Day;
  /** Position of this publication among all those of the process. */
  readonly number: number;
}

/** Versions in the memory of one process, the only one that publishes and reads this data. */
export class ProcessVersions implements PublishedVersions {
  /**
   * The publications that a version may depend on, by project. Both days and numbers ascend: a publication
   * hides the older ones of the same or later days, since every version that includes those includes it too.
   */
  readonly #publications = new Map<string, Publication[]>();
  #count = 0;

  async publish(project: string, days: readonly Day[]): Promise<void> {
    if (days.length === 0) return;
    const day = days.reduce((first, day) => Math.min(first, day));
    const before = this.#publications.get(project) ?? [];
    while ((before.at(-1)?.day ?? Number.NEGATIVE_INFINITY) >= day) before.pop();
    before.push({ day, number: ++this.#count });
    this.#publications.set(project, before);
  }

  async version(project: string, until: Day): Promise<string> {
    const latest = this.#publications.get(project)?.findLast(({ day }) => day <= until);
    return String(latest?.number ?? 0);
  }
}
