import { groupBy } from "../../model/collections.js";
import { daysTogether } from "../../model/due-days.js";
import type { ProjectNumber } from "../../model/names.js";
import type { StoredDay } from "../duckdb/copy/duckdb-source.js";

/** A project's days, oldest first, in batches that are copied together. */
export interface ProjectDays {
  readonly project: ProjectNumber;
  readonly batches: readonly (readonly StoredDay[])[];
}

export const rowsOf = ({ states, entries }: StoredDay): number => states + entries;

/**
 * Divides days into batches.
 *
 * @param days sorted by project, oldest first.
 * @param limits maximum number of rows and days per batch.
 */
export function batchesOf(
  days: readonly StoredDay[],
  limits: { readonly rows: number; readonly days: number },
): readonly ProjectDays[] {
  return [...groupBy(days, ({ project }) => project)].map(([project, all]) => {
    const sizes = new Map(all.map((stored) => [stored.day, rowsOf(stored)]));
    const batches: StoredDay[][] = [];
    for (let start = 0; start < all.length; ) {
      const next = all.slice(start, start + limits.days);
      const { length } = daysTogether(
        next.map(({ day }) => day),
        sizes,
        limits.rows,
      );
      batches.push(next.slice(0, length));
      start += length;
    }
    return { project, batches };
  });
}
