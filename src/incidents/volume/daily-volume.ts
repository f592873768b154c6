import type { Day } from "../../model/day.js";
import { read, readDay } from "../detection/columns.js";
import type { DailyCounts } from "../detection/daily-counts.js";

/** Accepted messages of a label or of the whole app on consecutive days. */
export interface DailyVolume {
  readonly firstDay: Day;
  /** Number of messages for each day from {@link firstDay}. `NaN` if the number is unknown. */
  readonly counts: Float64Array;
}

/**
 * Fills in days without messages, from the first day with messages up to `lastDay`.
 *
 * @param lacksEntries true if absent days are unknown.
 */
export function dailyVolume(
  { days, accepted }: Pick<DailyCounts, "days" | "accepted">,
  lastDay: Day,
  lacksEntries: boolean,
): DailyVolume | undefined {
  const [firstDay] = days;
  if (firstDay === undefined || firstDay > lastDay) return undefined;
  const counts = new Float64Array(lastDay - firstDay + 1).fill(lacksEntries ? Number.NaN : 0);
  for (const row of days.keys()) {
    const index = readDay(days, row) - firstDay;
    if (index < counts.length) counts[index] = read(accepted, row);
  }
  return { firstDay, counts };
}
