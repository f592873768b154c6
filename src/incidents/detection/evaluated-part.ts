import type { Day } from "../../model/day.js";
import { read, readOutcome } from "./columns.js";
import { OUTCOMES } from "./daily-counts.js";
import type { Incident } from "./incident.js";
import { RunOfDays } from "./run-of-days.js";
import { upperTail } from "./scores.js";
import type { SeriesTable } from "./series-table.js";

/** Minimum deviation that counts as an incident, as a fraction of the messages. */
export const LEAST_SHIFT = 0.03;
/** Minimum number of excess messages that counts as an incident. */
export const LEAST_MESSAGES = 10;
/** Number of days after which a lasting deviation counts as usual. */
const ACCEPTED_AFTER_DAYS = 56;
/** Number of days without messages that ends a run. */
const SILENT_DAYS = 14;
/**
 * Distance from the center to both edges of the usual range, in standard deviations. It contains 19 of 20 usual days.
 */
const BAND = 1.96;

/** The shift that all parts of an app share on a day. */
export interface Shared {
  /** True if the whole app deviates. A part is then reported only if it deviates at least as much in addition. */
  readonly isOut: boolean;
  /** Shift of each outcome. */
  readonly shifts: Float64Array;
}

function leastShift(shared: Shared | undefined, outcome: number): number {
  return shared?.isOut ? Math.max(LEAST_SHIFT, Math.abs(read(shared.shifts, outcome))) : LEAST_SHIFT;
}

/** The evaluated series of a label or of the whole app, `delivered` first. */
export interface PartSeries {
  readonly table: SeriesTable;
  /** Index of the first series in the table. */
  readonly first: number;
  /** Index after the last series. */
  readonly end: number;
}

/** An evaluated part of an app's messages: a label, or the whole app. */
export class EvaluatedPart {
  readonly #label: string | undefined;
  readonly #series: PartSeries;
  readonly #found: Incident[];
  readonly #onNew: () => void;
  #lastDay: Day | undefined;
  #evaluated = 0;

  /**
   * @param label `undefined` for the whole app.
   * @param found receives incidents as they end.
   * @param onNew called when a lasting deviation starts to count as usual.
   */
  constructor(
    label: string | undefined,
    series: PartSeries,
    found: Incident[],
    onNew = () => this.acceptAside(),
  ) {
    this.#label = label;
    this.#series = series;
    this.#found = found;
    this.#onNew = onNew;
  }

  /** Closes all open incidents if the last messages are more than {@link SILENT_DAYS} days ago. */
  passTo(day: Day): void {
    if (this.#lastDay !== undefined && day - this.#lastDay > SILENT_DAYS) this.#closeAll(true);
  }

  /**
   * Evaluates a day for which all series have scores.
   *
   * @param levels score that raises an alarm, by outcome.
   * @param evaluated number of evaluated parts.
   * @returns true if any outcome deviates.
   */
  evaluate(day: Day, levels: Float64Array, evaluated: number, shared: Shared | undefined): boolean {
    const { table, first: delivered, end } = this.#series;
    const { runs, sums, today, usual } = table;
    this.#lastDay = day;
    this.#evaluated = evaluated;
    let isMarked = false;
    for (let series = delivered; series < end; series++) {
      const run = runs[series];
      if (run !== undefined) {
        if (day - run.startDay >= ACCEPTED_AFTER_DAYS) {
          this.#close(series, true);
          this.#onNew();
          isMarked = true;
        } else if (run.endsBefore(day, today, series, usual.variance(series))) {
          this.#close(series, true);
        } else {
          isMarked = true;
        }
        continue;
      }
      // A message that is not delivered has another outcome, so the problem is reported only once.
      if (series !== delivered && runs[delivered] !== undefined) {
        sums.reset(series);
        continue;
      }
      const threshold = read(levels, readOutcome(table.outcomes, series));
      sums.add(series, day, today, delivered, threshold + 2);
      if (sums.value(series) >= threshold && this.#begin(series, day, shared)) isMarked = true;
      else if (shared?.isOut) sums.reset(series);
    }
    return isMarked;
  }

  /** Starts a run with the days that raised an alarm, if they deviate enough from the usual share. */
  #begin(series: number, day: Day, shared: Shared | undefined): boolean {
    const { table, first: delivered } = this.#series;
    const outcome = readOutcome(table.outcomes, series);
    const excess = table.sums.excess(series);
    const least = leastShift(shared, outcome) * table.sums.accepted(series);
    if (excess < LEAST_MESSAGES || excess < least) return false;
    const { startDay, days, sums, undelivered } = table.sums.risenDays(series);
    const isOfDeliveries =
      series !== delivered &&
      2 * undelivered >= excess &&
      undelivered >= leastShift(shared, 0) * sums.accepted;
    if (isOfDeliveries) {
      sums.expected = sums.accepted * read(table.today.expected, delivered);
      sums.seen = sums.expected + undelivered;
      table.sums.reset(delivered);
    }
    table.runs[isOfDeliveries ? delivered : series] = new RunOfDays(startDay, day, days, sums);
    table.sums.reset(series);
    return true;
  }

  /** Closes the open runs. A run has ended if its last messages were long before `lastDay`. */
  finish(lastDay: Day): void {
    this.#closeAll(this.#lastDay !== undefined && lastDay - this.#lastDay > SILENT_DAYS);
  }

  /** Accepts the deviation on the marked days as usual. */
  acceptAside(): void {
    const { table, first, end } = this.#series;
    for (let series = first; series < end; series++) table.acceptAside(series);
  }

  #closeAll(hasEnded: boolean): void {
    const { table, first, end } = this.#series;
    for (let series = first; series < end; series++) {
      this.#close(series, hasEnded);
      table.sums.reset(series);
    }
  }

  #close(series: number, hasEnded: boolean): void {
    const { table } = this.#series;
    const outcome = readOutcome(table.outcomes, series);
    const name = OUTCOMES[outcome];
    const run = table.runs[series];
    if (run === undefined || name === undefined) return;
    const { startDay, lastDay, days, sums } = run;
    const usual = sums.expected / sums.accepted;
    const seen = sums.seen / sums.accepted;
    const width = BAND * Math.sqrt((table.usual.variance(series) * days) / sums.precision);
    const percent = (share: number): number =>
      100 * Math.min(1, Math.max(0, outcome === 0 ? 1 - share : share));
    const [one, other] = [percent(usual - width), percent(usual + width)];
    const chance = upperTail(Math.max(0, sums.score / Math.sqrt(sums.precision)));
    this.#found.push({
      label: this.#label,
      outcome: name,
      startDay,
      ...(hasEnded && { endDay: lastDay }),
      usualPercent: percent(usual),
      usualLowPercent: Math.min(one, other),
      usualHighPercent: Math.max(one, other),
      observedPercent: percent(seen),
      excessMessageCount: Math.max(1, Math.round(sums.seen - sums.expected)),
      confidence: Math.max(0, 1 - chance * this.#evaluated * OUTCOMES.length),
    });
    table.runs[series] = undefined;
  }
}
