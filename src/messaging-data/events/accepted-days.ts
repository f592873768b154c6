import { type Day, dayOf, LAST_DAY, startOfDay } from "../../model/day.js";

/** Which days an import may be about; the last one moves on with the clock. */
export interface AcceptedDays {
  readonly from: Day;
  /** How many days after today events may be of, as clocks of producers differ. */
  readonly ahead: number;
}

/** The days that an import may be about at a moment, and the instants that they have. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
  /** The first instant of the first day, in milliseconds since the Unix epoch. */
  readonly start: number;
  /** The first instant behind the last day. */
  readonly end: number;
}

/** @param now milliseconds since the Unix epoch. */
export function acceptedAt(now: number, { from, ahead }: AcceptedDays): DayRange {
  const last = Math.min(dayOf(now) + ahead, LAST_DAY);
  return { first: from, last, start: startOfDay(from), end: startOfDay(last + 1) };
}
