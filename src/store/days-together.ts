import type { Day } from "../model/day.js";

/**
 * Returns the first days in a list that have at most `maxRows` rows in total. Returns at least one day.
 *
 * @param sizes number of rows by day. Days without rows may be omitted.
 */
export function daysTogether(
  days: readonly Day[],
  sizes: ReadonlyMap<Day, number>,
  maxRows: number,
): readonly Day[] {
  let rows = 0;
  const index = days.findIndex((day, before) => {
    rows += sizes.get(day) ?? 0;
    return before > 0 && rows > maxRows;
  });
  return index < 0 ? days : days.slice(0, index);
}
