import type { Day } from "../model/day.js";

/**
 * Returns as many days, from the start of the list, as have at most `most` rows together, but at least one.
 *
 * @param sizes number of rows of each day that has any.
 */
export function daysTogether(
  days: readonly Day[],
  sizes: ReadonlyMap<Day, number>,
  most: number,
): readonly Day[] {
  let rows = 0;
  const index = days.findIndex((day, before) => {
    rows += sizes.get(day) ?? 0;
    return before > 0 && rows > most;
  });
  return index < 0 ? days : days.slice(0, index);
}
