import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import { read, readDay, readOutcome } from "./columns.js";
import { type DailyCounts, OUTCOMES, weekdayOf } from "./daily-counts.js";
import { LEAST_MESSAGES, LEAST_SHIFT } from "./evaluated-part.js";
import { varianceOf } from "./scores.js";
import type { SeriesTable } from "./series-table.js";
import { START_DAYS, startOfHistory } from "./start-of-history.js";

/** Reads a label's counts day by day. */
export class LabelHistory {
  readonly counts: DailyCounts;
  /** Its series are `delivered`, and each other outcome that varies enough for an incident. */
  readonly table: SeriesTable;
  /** Index of the first series. */
  readonly first: number;
  /** Index after the last series. */
  readonly end: number;
  /**
   * For each day: day number, messages, and the share of each series. Values that are read together are next to each
   * other.
   */
  readonly #rows: Float64Array;
  readonly #width: number;
  #row = 0;

  /** @param counts at least {@link START_DAYS} days. @param table receives the series. */
  constructor(counts: DailyCounts, table: SeriesTable) {
    this.counts = counts;
    this.table = table;
    this.first = table.length;
    const accepted = Array.from(counts.accepted.subarray(0, START_DAYS));
    const weekdays = Array.from(counts.days.subarray(0, START_DAYS), weekdayOf);
    for (let outcome = 0; outcome < OUTCOMES.length; outcome++) {
      if (outcome === 0 || varies(counts, outcome)) {
        const column = at(counts.outcomes, outcome);
        const shares = accepted.map((_, row) => shareOf(column, counts.accepted, outcome, row));
        table.add(outcome, startOfHistory(shares, accepted, weekdays));
      }
    }
    this.end = table.length;
    this.#width = 2 + this.end - this.first;
    this.#rows = new Float64Array(counts.days.length * this.#width);
    for (let row = 0; row < counts.days.length; row++) {
      this.#rows[row * this.#width] = readDay(counts.days, row);
      this.#rows[row * this.#width + 1] = read(counts.accepted, row);
    }
    for (let series = this.first; series < this.end; series++) this.#readShares(series);
  }

  #readShares(series: number): void {
    const outcome = readOutcome(this.table.outcomes, series);
    const rows = this.#rows;
    const width = this.#width;
    const column = at(this.counts.outcomes, outcome);
    let cell = 2 + series - this.first;
    for (let row = 0; row < this.counts.days.length; row++, cell += width) {
      rows[cell] = shareOf(column, this.counts.accepted, outcome, row);
    }
  }

  /** True on the first days, which determine the initial level. */
  get isAtStart(): boolean {
    return this.#row < START_DAYS;
  }

  has(day: Day): boolean {
    return this.#rows[this.#row * this.#width] === day;
  }

  /** Begins to evaluate the next day. */
  begin(weekday: number): void {
    const { table, first, end } = this;
    const rows = this.#rows;
    let cell = this.#row * this.#width + 1;
    const accepted = read(rows, cell++);
    for (let series = first; series < end; series++) {
      const expected = table.usual.expected(series, weekday);
      table.begin(series, read(rows, cell++), accepted, expected, varianceOf(expected));
    }
  }

  /** Computes all scores for the day. `shifts` contains the shifts that the whole app explains, by outcome. */
  score(shifts: Float64Array): void {
    const { table, first, end } = this;
    for (let series = first; series < end; series++) {
      table.score(series, read(shifts, readOutcome(table.outcomes, series)));
    }
  }

  /** Updates the usual shares with an unmarked day. @param levels scores that raise an alarm, by outcome. */
  learn(weekday: number, levels: Float64Array): void {
    const { table, first, end, isAtStart } = this;
    for (let series = first; series < end; series++) {
      table.learn(series, weekday, read(levels, readOutcome(table.outcomes, series)), isAtStart);
    }
  }

  /** Records a marked day separately from the usual shares. */
  setAside(): void {
    for (let series = this.first; series < this.end; series++) this.table.setAside(series);
  }

  /** Moves to the next day with messages. */
  next(): void {
    this.#row++;
  }
}

/**
 * Returns the share of undesired outcomes: messages with the outcome or, for `delivered`, messages that were not
 * delivered.
 */
export function shareOf(column: Float64Array, accepted: Float64Array, outcome: number, row: number): number {
  const share = read(column, row) / read(accepted, row);
  return outcome === 0 ? 1 - share : share;
}

function varies({ accepted, outcomes }: DailyCounts, outcome: number): boolean {
  const column = at(outcomes, outcome);
  let least = 1;
  let most = 0;
  let messages = 0;
  for (let row = 0; row < column.length; row++) {
    const count = read(column, row);
    const share = count / read(accepted, row);
    messages += count;
    if (share < least) least = share;
    if (share > most) most = share;
    // A label can contribute half of its own shift to the shift of all labels.
    if (messages >= LEAST_MESSAGES && most - least >= LEAST_SHIFT / 2) return true;
  }
  return false;
}
