/** A calendar day in America/Los_Angeles: 24 hours, or 23 or 25 at a clock change. */
export interface LosAngelesDay {
  readonly year: number;
  /** From 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** From 0, Sunday. */
  readonly weekday: number;
  /** First instant of the day, in milliseconds since the epoch. */
  readonly start: number;
  /** First instant of the next day, in milliseconds since the epoch. */
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
 * Returns `count` consecutive days.
 *
 * @param first first day, `YYYY-MM-DD`.
 * @throws RangeError if `first` is not a date.
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

/** Returns the first instant of the Los Angeles day with the UTC date of `date`. */
function midnightOf(date: Date): number {
  const asIfUtc = date.getTime();
  // The first guess may be on the wrong side of a clock change. The second is right, because clocks change at
  // 2:00.
  const guess = asIfUtc - offsetAt(asIfUtc);
  return asIfUtc - offsetAt(guess);
}

/** Returns the UTC offset of Los Angeles, in milliseconds. */
function offsetAt(instant: number): number {
  const parts = new Map(wallClock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => {
    const value = parts.get(type);
    if (value === undefined) throw new Error(`the format has no ${type}`);
    return value;
  };
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

const DAY = 86_400_000;
const MINUTE = 60_000;

const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, "0"));
const threeDigits = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, "0"));

/** Formats instants as RFC 3339 timestamps with milliseconds, many times faster than `Date`. */
export class EventTimeFormat {
  readonly #dates = new Map<number, string>();

  /**
   * Formats an instant.
   *
   * @param instant whole milliseconds since the epoch.
   * @param offset UTC offset of the written time, in minutes; 0 is written as `Z`.
   */
  format(instant: number, offset: number): string {
    const wall = instant + offset * MINUTE;
    const day = Math.floor(wall / DAY);
    const time = wall - day * DAY;
    const seconds = Math.floor(time / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    return `${this.#dateOf(day)}T${twoDigits[hours]}:${twoDigits[minutes - hours * 60]}:${
      twoDigits[seconds - minutes * 60]
    }.${threeDigits[time - seconds * 1000]}${offset === 0 ? "Z" : formatOffset(offset)}`;
  }

  #dateOf(day: number): string {
    const known = this.#dates.get(day);
    if (known !== undefined) return known;
    const date = new Date(day * DAY).toISOString().slice(0, 10);
    this.#dates.set(day, date);
    return date;
  }
}

function formatOffset(minutes: number): string {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${twoDigits[Math.floor(distance / 60)]}:${twoDigits[distance % 60]}`;
}
