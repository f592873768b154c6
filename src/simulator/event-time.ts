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
   * @param instant Whole milliseconds since the epoch.
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
