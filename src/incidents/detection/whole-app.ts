import { at } from "../../model/collections.js";
import { add, read, readDay, readOutcome } from "./columns.js";
import { type DailyCounts, OUTCOMES, weekdayOf } from "./daily-counts.js";
import type { PartSeries } from "./evaluated-part.js";
import { type LabelHistory, shareOf } from "./label-history.js";
import { varianceOf } from "./scores.js";
import { SeriesTable } from "./series-table.js";
import { type Panel, sharedShift } from "./shared-shift.js";
import { START_DAYS, startOfHistory } from "./start-of-history.js";

/**
 * All messages of an app. Each day is compared with the usual shares of its labels, so that a different mix of labels
 * has no effect.
 */
export class WholeApp implements PartSeries {
  /** A series for each outcome, with the same number. */
  readonly table: SeriesTable;
  readonly first = 0;
  readonly end = OUTCOMES.length;
  /** Shift of each outcome that the labels share on this day, beyond sampling noise. */
  readonly shifts = new Float64Array(OUTCOMES.length);
  readonly #panels: readonly DayPanel[];
  #days = 0;
  /** Messages and number of labels on this day. */
  #messages = 0;
  #labels = 0;

  private constructor(table: SeriesTable, labels: number) {
    this.table = table;
    this.#panels = OUTCOMES.map(() => new DayPanel(labels + 1));
  }

  /** Reads the first days of an app and its labels. Yields about every millisecond. */
  static *of(app: DailyCounts, labels: readonly LabelHistory[]): Generator<void, WholeApp> {
    const table = new SeriesTable(OUTCOMES.length);
    for (const outcome of OUTCOMES.keys()) {
      addSeries(table, app, labels, outcome);
      yield;
    }
    return new WholeApp(table, labels.length);
  }

  /** True on the first days, which determine the initial level. */
  get isAtStart(): boolean {
    return this.#days <= START_DAYS;
  }

  /** Adds a label's day. A label that deviates on its own carries no information about the others. */
  add({ table, first, end }: PartSeries): void {
    this.#labels++;
    const { runs, outcomes, today } = table;
    if (runs[first] !== undefined) return;
    this.#messages += read(today.accepted, first);
    for (let series = first; series < end; series++) {
      const panel = at(this.#panels, readOutcome(outcomes, series));
      if (runs[series] === undefined) panel.add(table, series);
      else panel.leftOut += read(today.accepted, series);
    }
  }

  /** Begins to evaluate a day after its labels are added. @returns their number. */
  begin(weekday: number): number {
    const labels = this.#labels;
    if (labels > 0) this.#days++;
    for (const [series, panel] of this.#panels.entries()) {
      if (panel.count === 0) {
        this.shifts[series] = 0;
        this.table.begin(series, 0, 0, 0, 1);
      } else {
        panel.addUnmoved(this.#messages);
        const { shift, variance, accepted } = sharedShift(panel);
        const square = shift * shift;
        // James and Stein: excludes the part that sampling noise explains.
        this.shifts[series] = square > variance ? shift * (1 - variance / square) : 0;
        const base = panel.expected / panel.messages;
        const expected = base + this.table.usual.expected(series, weekday);
        this.table.begin(series, base + shift, Math.max(1, accepted), expected, varianceOf(base));
      }
      panel.clear();
      this.table.score(series, 0);
    }
    this.#messages = 0;
    this.#labels = 0;
    return labels;
  }

  /** Updates the usual shares with an unmarked day. @param levels scores that raise an alarm, by outcome. */
  learn(weekday: number, levels: Float64Array): void {
    const { table } = this;
    const { accepted, expected, share } = table.today;
    for (let series = 0; series < this.end; series++) {
      if (accepted[series] === 0) continue;
      const usual = table.usual.expected(series, weekday);
      add(share, series, usual - read(expected, series));
      expected[series] = usual;
      table.learn(series, weekday, read(levels, series), this.isAtStart);
    }
  }
}

/** A single outcome for every label on one day. */
class DayPanel implements Panel {
  count = 0;
  /** Number of messages of all labels, and how many of them are expected to have the outcome. */
  messages = 0;
  expected = 0;
  /** Number of messages of labels that deviate individually. */
  leftOut = 0;
  readonly shifts: Float64Array;
  readonly variances: Float64Array;
  readonly accepted: Float64Array;

  constructor(rows: number) {
    this.shifts = new Float64Array(rows);
    this.variances = new Float64Array(rows);
    this.accepted = new Float64Array(rows);
  }

  add({ today, usual }: SeriesTable, series: number): void {
    const accepted = read(today.accepted, series);
    const expected = read(today.expected, series);
    this.expected += accepted * expected;
    const variance = usual.variance(series) / read(today.precision, series);
    this.#addRow(read(today.share, series) - expected, variance, accepted);
  }

  /** Adds all labels in which the outcome does not vary, as one label with an unchanged share. */
  addUnmoved(ofAll: number): void {
    const accepted = ofAll - this.messages - this.leftOut;
    if (accepted > 0) this.#addRow(0, varianceOf(0) / accepted, accepted);
  }

  #addRow(shift: number, variance: number, accepted: number): void {
    this.shifts[this.count] = shift;
    this.variances[this.count] = variance;
    this.accepted[this.count] = accepted;
    this.count++;
    this.messages += accepted;
  }

  clear(): void {
    this.leftOut = 0;
    this.count = 0;
    this.messages = 0;
    this.expected = 0;
  }
}

/** Adds a series. Its start is the difference between all labels together and their usual shares on the first days. */
function addSeries(
  table: SeriesTable,
  app: DailyCounts,
  labels: readonly LabelHistory[],
  outcome: number,
): void {
  const days = app.days.subarray(0, START_DAYS);
  const rows = new Map(Array.from(days, (day, row) => [day, row]));
  const accepted = new Float64Array(days.length);
  const expected = new Float64Array(days.length);
  const seen = new Float64Array(days.length);
  for (const { counts, table: ofLabels, first, end } of labels) {
    const series = ofLabels.outcomes.subarray(first, end).indexOf(outcome) + first;
    if (series < first) continue;
    const column = at(counts.outcomes, outcome);
    for (let own = 0; own < counts.days.length; own++) {
      const row = rows.get(readDay(counts.days, own));
      if (row === undefined) break;
      const messages = read(counts.accepted, own);
      const usual = ofLabels.usual.expected(series, weekdayOf(readDay(days, row)));
      add(accepted, row, messages);
      add(expected, row, messages * usual);
      add(seen, row, messages * shareOf(column, counts.accepted, outcome, own));
    }
  }
  const known = [...accepted.keys()].filter((row) => read(accepted, row) > 0);
  const weights = known.map((row) => read(accepted, row));
  const shifts = known.map((row) => (read(seen, row) - read(expected, row)) / read(accepted, row));
  const weekdays = known.map((row) => weekdayOf(readDay(days, row)));
  const messages = weights.reduce((sum, count) => sum + count, 0);
  const base = messages === 0 ? 0 : expected.reduce((sum, count) => sum + count, 0) / messages;
  table.add(outcome, startOfHistory(shifts, weights, weekdays, base), base);
}
