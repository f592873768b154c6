/** One calendar day in America/Los_Angeles: 24 hours long, 23 or 25 when the clocks change. */
export interface LosAngelesDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Its first instant, in milliseconds since the epoch. */
  readonly start: number;
  /** The first instant of the next day. */
  readonly end: number;
}

const wallClock = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/**
 * The days from `first` on.
 *
 * @param first `YYYY-MM-DD`
 * @throws RangeError if `first` is not a date
 */
export function losAngelesDays(first: string, count: number): LosAngelesDay[] {
  const [year = Number.NaN, month = Number.NaN, day] = /^\d{4}-\d\d-\d\d$/.test(first)
    ? first.split("-").map(Number)
    : [];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== first) {
    throw new RangeError(`${first} is not a date of the form YYYY-MM-DD`);
  }
  return Array.from({ length: count }, () => {
    const today = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    const weekday = date.getUTCDay();
    const start = midnightOf(date);
    date.setUTCDate(date.getUTCDate() + 1);
    return { ...today, weekday, start, end: midnightOf(date) };
  });
}

/** The instant at which the Los Angeles day begins that has the UTC date of `date`. */
function midnightOf(date: Date): number {
  const asIfUtc = date.getTime();
  // The first guess may lie on the other side of a change of the clocks, the second no longer does: they change at 2:00.
  const guess = asIfUtc - offsetAt(asIfUtc);
  return asIfUtc - offsetAt(guess);
}

/** How far the wall clock of Los Angeles is ahead of UTC, in milliseconds. */
function offsetAt(instant: number): number {
  const parts = new Map(wallClock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - instant;
}
