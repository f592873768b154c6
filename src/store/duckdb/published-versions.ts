import type { Day } from "../../model/day.js";

interface Publication {
  /** First of the days that were published. */
  readonly day: Day;
  /** Position of this publication among all those of the process. */
  readonly number: number;
}

/**
 * Versions of delivery data that only this process publishes and reads. A project version up to a last day changes whenever
 * one of these days is published: caches notice that their entries are out of date.
 */
export class PublishedVersions {
  /**
   * The publications that a version may depend on, by project. Both days and numbers ascend: a publication
   * hides the older ones of the same or later days, since every version that includes those includes it too.
   */
  readonly #publications = new Map<string, Publication[]>();
  #count = 0;

  /** Records that days of a project were published, or may have been. */
  publish(project: string, days: readonly Day[]): void {
    if (days.length === 0) return;
    const day = days.reduce((first, day) => Math.min(first, day));
    const before = this.#publications.get(project) ?? [];
    while ((before.at(-1)?.day ?? Number.NEGATIVE_INFINITY) >= day) before.pop();
    before.push({ day, number: ++this.#count });
    this.#publications.set(project, before);
  }

  /** Versions are comparable only with those of the same project and `until` from the same object. */
  version(project: string, until: Day): string {
    const latest = this.#publications.get(project)?.findLast(({ day }) => day <= until);
    return String(latest?.number ?? 0);
  }
}
