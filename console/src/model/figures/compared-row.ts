import { CATEGORY_GROUPS, shareOf, UNACCOUNTED, unaccountedOf } from "../numbers/categories.js";
import { type Counts, percentOf } from "../numbers/counts.js";

/** A category with its share on each side, in percent; undefined where the denominator is 0. */
export interface ComparedRow {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** A row for each category, and one for the unaccounted messages of each exclusive group. */
export const comparedRowsOf = (left: Counts, right: Counts): readonly ComparedRow[] =>
  CATEGORY_GROUPS.flatMap((group) => {
    const heading = `${group.title}, ${group.of}`;
    const rows = group.categories.map(
      ({ name, title }): ComparedRow => ({
        key: name,
        group: heading,
        title,
        left: shareOf(left, group, name),
        right: shareOf(right, group, name),
      }),
    );
    if (!group.exclusive) return rows;
    const unaccounted = (counts: Counts): number | undefined =>
      percentOf(unaccountedOf(counts, group), counts[group.denominator] ?? 0);
    const rest = {
      key: `${group.title} unaccounted`,
      group: heading,
      title: UNACCOUNTED.title,
      left: unaccounted(left),
      right: unaccounted(right),
    };
    return [...rows, rest];
  });
