import { type Day, dayOf, LAST_DAY, startOfDay } from "../../model/day.js";

/** The days that imports accept; the last one moves with the clock. */
export interface AcceptedDays {
  readonly from: Day;
  /** Number of days after today that are accepted, as the clocks of producers differ. */
  readonly ahead: number;
}

/** The days that imports accept at a given moment, and the corresponding instants. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
  /** First instant of the first day, in milliseconds since the Unix epoch. */
  readonly start: number;
  /** First instant after the last day, in milliseconds since the Unix epoch. */
  readonly end: number;
}

/** Computes the days accepted at an instant. @param now milliseconds since the Unix epoch. */
export function acceptedAt(now: number, { from, ahead }: AcceptedDays): DayRange {
  const last = Math.min(dayOf(now) + ahead, LAST_DAY);
  return { first: from, last, start: startOfDay(from), end: startOfDay(last + 1) };
}
