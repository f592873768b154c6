import type { Day } from "../../model/day.js";
import { type DailyCounts, OUTCOMES } from "./daily-counts.js";
import { type LabelHistory, shareOf } from "./label-history.js";
import { Series } from "./series.js";
import { varianceOf } from "./share.js";
import { type Panel, sharedShift } from "./shared-shift.js";
import { START_DAYS, startOfHistory } from "./start-of-history.js";
import { UsualShare } from "./usual-share.js";
import { weekdayOf } from "./weekday.js";

/**
 * The whole app, of which each day is compared with what is usual of each of its labels: another mix of labels changes
 * nothing.
 */
export class WholeApp {
  /** One for each outcome. */
  readonly series: readonly Series[];
  /** Shift of each outcome that the labels of the day share, as far as it is more than chance in counting. */
  readonly shifts = new Float64Array(OUTCOMES.length);
  readonly #panels: readonly DayPanel[];
  #days = 0;
  /** Messages of the labels of the day, and their number. */
  #messages = 0;
  #labels = 0;

  private constructor(series: readonly Series[], labels: number) {
    this.series = series;
    this.#panels = OUTCOMES.map(() => new DayPanel(labels + 1));
  }

  /** Reads the first days of an app and its labels. Yields about every millisecond. */
  static *of(app: DailyCounts, labels: readonly LabelHistory[]): Generator<void, WholeApp> {
    const series: Series[] = [];
    for (const outcome of OUTCOMES.keys()) {
      series.push(seriesOfApp(app, labels, outcome));
      yield;
    }
    return new WholeApp(series, labels.length);
  }

  /** True on the first days, which have made the level. */
  get isAtStart(): boolean {
    return this.#days <= START_DAYS;
  }

  /** Adds a label's day. Of a label that is out of the ordinary by itself, nothing is to be learnt of the others. */
  add(labelSeries: readonly Series[]): void {
    this.#labels++;
    const delivered = labelSeries[0];
    if (delivered === undefined || delivered.run !== undefined) return;
    this.#messages += delivered.today.accepted;
    for (const { run, outcome, today } of labelSeries) {
      const panel = this.#panels[outcome];
      if (run === undefined) panel?.add(today);
      else if (panel !== undefined) panel.leftOut += today.accepted;
    }
  }

  /** Begins the judgement of a day whose labels are added; returns their number. */
  begin(day: Day): number {
    const weekday = weekdayOf(day);
    const labels = this.#labels;
    if (labels > 0) this.#days++;
    for (const series of this.series) {
      const panel = this.#panels[series.outcome];
      if (panel === undefined || panel.count === 0) {
        this.shifts[series.outcome] = 0;
        series.begin(day, 0, 0, 0, 1);
      } else {
        panel.addUnmoved(this.#messages);
        const { shift, variance, accepted } = sharedShift(panel);
        const square = shift * shift;
        // James and Stein: what chance in counting explains is not shared.
        this.shifts[series.outcome] = square > variance ? shift * (1 - variance / square) : 0;
        const base = panel.expected / panel.messages;
        const expected = base + series.usual.expected(weekday);
        series.begin(day, base + shift, Math.max(1, accepted), expected, varianceOf(base));
      }
      panel?.clear();
      series.score(0);
    }
    this.#messages = 0;
    this.#labels = 0;
    return labels;
  }

  /** Learns the day, which is unmarked. */
  learn(weekday: number, threshold: (outcome: number) => number): void {
    for (const series of this.series) {
      const { today } = series;
      if (today.accepted === 0) continue;
      const usual = series.usual.expected(weekday);
      today.share += usual - today.expected;
      today.expected = usual;
      series.learn(weekday, threshold(series.outcome), this.isAtStart);
    }
  }
}

/** The labels of a day, for one outcome. */
class DayPanel implements Panel {
  count = 0;
  /** Messages of all labels, and how many of them were to be expected to have the outcome. */
  messages = 0;
  expected = 0;
  /** Messages of labels that are out of the ordinary by themselves. */
  leftOut = 0;
  readonly shifts: Float64Array;
  readonly variances: Float64Array;
  readonly accepted: Float64Array;

  constructor(rows: number) {
    this.shifts = new Float64Array(rows);
    this.variances = new Float64Array(rows);
    this.accepted = new Float64Array(rows);
  }

  add({ share, expected, variance, precision, accepted }: Series["today"]): void {
    this.expected += accepted * expected;
    this.#addRow(share - expected, variance / precision, accepted);
  }

  /** Adds the labels in which the outcome never varies: together one that has not moved. */
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

/** Reads from the first days how far all labels together are from what is usual of each. */
function seriesOfApp(app: DailyCounts, labels: readonly LabelHistory[], outcome: number): Series {
  const days = app.days.subarray(0, START_DAYS);
  const rows = new Map(Array.from(days, (day, row) => [day, row]));
  const accepted = new Float64Array(days.length);
  const expected = new Float64Array(days.length);
  const seen = new Float64Array(days.length);
  for (const { counts, series: all } of labels) {
    const series = all.find((one) => one.outcome === outcome);
    if (series === undefined) continue;
    for (let own = 0; own < counts.days.length; own++) {
      const row = rows.get(counts.days[own] ?? 0);
      if (row === undefined) break;
      const messages = counts.accepted[own] ?? 0;
      const usual = series.usual.expected(weekdayOf(days[row] ?? 0));
      accepted[row] = (accepted[row] ?? 0) + messages;
      expected[row] = (expected[row] ?? 0) + messages * usual;
      seen[row] = (seen[row] ?? 0) + messages * shareOf(counts, outcome, own);
    }
  }
  const known = [...accepted.keys()].filter((row) => (accepted[row] ?? 0) > 0);
  const weights = known.map((row) => accepted[row] ?? 1);
  const shifts = known.map((row) => ((seen[row] ?? 0) - (expected[row] ?? 0)) / (accepted[row] ?? 1));
  const weekdays = known.map((row) => weekdayOf(days[row] ?? 0));
  const messages = weights.reduce((sum, count) => sum + count, 0);
  const base = messages === 0 ? 0 : expected.reduce((sum, count) => sum + count, 0) / messages;
  return new Series(
    outcome,
    new UsualShare(startOfHistory(shifts, weights, weekdays, base), varianceOf(base)),
  );
}
