import type { Day } from "../../model/day.js";
import { type DailyCounts, OUTCOMES } from "./daily-counts.js";
import { LEAST_MESSAGES, LEAST_SHIFT } from "./judged-part.js";
import { Series } from "./series.js";
import { varianceOf } from "./share.js";
import { START_DAYS, startOfHistory } from "./start-of-history.js";
import { UsualShare } from "./usual-share.js";
import { weekdayOf } from "./weekday.js";

/** Reads the counts of a label day by day. */
export class LabelHistory {
  readonly counts: DailyCounts;
  /** A series for `delivered`, and for each other outcome that ever varies enough for an incident. */
  readonly series: readonly Series[];
  /** For each day its number, its messages, and the share of each series: what is read together lies together. */
  readonly #rows: Float64Array;
  readonly #width: number;
  #row = 0;

  /** @param counts At least {@link START_DAYS} days. */
  constructor(counts: DailyCounts) {
    this.counts = counts;
    this.series = [...OUTCOMES.keys()]
      .filter((outcome) => outcome === 0 || varies(counts, outcome))
      .map((outcome) => seriesOf(counts, outcome));
    this.#width = 2 + this.series.length;
    this.#rows = new Float64Array(counts.days.length * this.#width);
    for (let row = 0; row < counts.days.length; row++) {
      let at = row * this.#width;
      this.#rows[at++] = counts.days[row] ?? 0;
      this.#rows[at++] = counts.accepted[row] ?? 0;
      for (const { outcome } of this.series) this.#rows[at++] = shareOf(counts, outcome, row);
    }
  }

  /** True on the first days, which have made the level. */
  get isAtStart(): boolean {
    return this.#row < START_DAYS;
  }

  has(day: Day): boolean {
    return this.#rows[this.#row * this.#width] === day;
  }

  /** Begins the judgement of a day that it has. */
  begin(day: Day): void {
    const weekday = weekdayOf(day);
    let at = this.#row * this.#width + 1;
    const accepted = this.#rows[at++] ?? 0;
    for (const series of this.series) {
      const expected = series.usual.expected(weekday);
      series.begin(day, this.#rows[at++] ?? 0, accepted, expected, varianceOf(expected));
    }
  }

  /** Goes on to the next day with messages. */
  next(): void {
    this.#row++;
  }
}

/** Share of what should not happen: of messages with the outcome, or of those that were not delivered. */
export function shareOf(counts: DailyCounts, outcome: number, row: number): number {
  const share = (counts.outcomes[outcome]?.[row] ?? 0) / (counts.accepted[row] ?? 1);
  return outcome === 0 ? 1 - share : share;
}

function varies(counts: DailyCounts, outcome: number): boolean {
  const column = counts.outcomes[outcome] ?? new Float64Array();
  let least = 1;
  let most = 0;
  let messages = 0;
  for (let row = 0; row < column.length; row++) {
    const count = column[row] ?? 0;
    const share = count / (counts.accepted[row] ?? 1);
    messages += count;
    if (share < least) least = share;
    if (share > most) most = share;
  }
  // A label may take part in a shift of all labels with half of it.
  return messages >= LEAST_MESSAGES && most - least >= LEAST_SHIFT / 2;
}

function seriesOf(counts: DailyCounts, outcome: number): Series {
  const accepted = Array.from(counts.accepted.subarray(0, START_DAYS));
  const weekdays = Array.from(counts.days.subarray(0, START_DAYS), weekdayOf);
  const shares = accepted.map((_, row) => shareOf(counts, outcome, row));
  const start = startOfHistory(shares, accepted, weekdays);
  return new Series(outcome, new UsualShare(start, varianceOf(start.level)));
}
