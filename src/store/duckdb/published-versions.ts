import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";

interface Publication {
  /** First day that was published. */
  readonly day: Day;
  /** Sequence number of the publication in this process. */
  readonly number: number;
}

/**
 * Versions of delivery data in a store that only one process uses. When a day is published, all versions that include
 * the day change, so that caches know that their content is outdated.
 */
export class PublishedVersions {
  /**
   * Publications that determine versions, by project. Both days and numbers are ascending. A publication replaces older
   * publications of the same or later days, because every version that includes those days also includes the new
   * publication.
   */
  readonly #publications = new Map<string, Publication[]>();
  #count = 0;

  /** Records that days were published, or may have been. */
  publish(project: ProjectNumber, days: readonly Day[]): void {
    if (days.length === 0) return;
    const day = days.reduce((first, day) => Math.min(first, day));
    const before = this.#publications.get(project) ?? [];
    while ((before.at(-1)?.day ?? Number.NEGATIVE_INFINITY) >= day) before.pop();
    before.push({ day, number: ++this.#count });
    this.#publications.set(project, before);
  }

  /** Returns a version. Only versions of the same project and `until` from the same object can be compared. */
  version(project: ProjectNumber, until: Day): string {
    const latest = this.#publications.get(project)?.findLast(({ day }) => day <= until);
    return String(latest?.number ?? 0);
  }
}
