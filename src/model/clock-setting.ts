/** A moment at which a clock was set, and its speed from then on. Times are in milliseconds since the Unix epoch. */
export interface ClockSetting {
  /** Time that the clock was set to. */
  readonly time: number;
  /** Time of the machine at that moment. */
  readonly at: number;
  /** Milliseconds of the clock in one of the machine; 0 if it stands still. */
  readonly rate: number;
}

/** First and last instant of an adjustable clock: those of 1970 and of 9999, in milliseconds since the Unix epoch. */
export const FIRST_INSTANT = 0;
export const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1;

/** The highest rate: a day in a second. */
export const MAX_RATE = 86_400;

/** Time of a clock with this setting, when the machine has the time `now`. At both ends it stands still. */
export const timeOf = ({ time, at, rate }: ClockSetting, now: number): number =>
  Math.min(Math.max(Math.round(time + rate * (now - at)), FIRST_INSTANT), LAST_INSTANT);
