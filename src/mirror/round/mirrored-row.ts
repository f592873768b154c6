import type { Day } from "../../model/day.js";
import type { EntryFilter } from "../../store/entry-filter.js";
import type { DayRuns } from "../day-runs.js";
import type { MirroredEntry } from "../mirrored-entry.js";

/** An entry of the original with the time at which it came. */
export interface MirroredRow extends MirroredEntry {
  /** In milliseconds since 1970. */
  readonly fetchedAt: number;
}

/** Names an entry among those of a day. No app id has a control character. */
export const placeInDay = (appId: string, label: string): string => `${appId}\0${label}`;

/** Names an entry among those of an app. */
export const placeOfApp = (day: Day, label: string): string => `${day}\0${label}`;

/** Makes the condition that an entry is of one of some days. */
export const onDays = (days: DayRuns): EntryFilter => ({
  kind: "or",
  operands: days.map(([first, last]) => ({
    kind: "and",
    operands: [
      { kind: "day", comparison: ">=", day: first },
      { kind: "day", comparison: "<=", day: last },
    ],
  })),
});
