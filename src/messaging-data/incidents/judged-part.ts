import type { Day } from "../../model/day.js";
import type { AlarmLevels } from "./alarm-level.js";
import { OUTCOMES } from "./daily-counts.js";
import type { Incident } from "./incident.js";
import { RunOfDays } from "./run-of-days.js";
import type { Series } from "./series.js";
import { upperTail } from "./share.js";

/** Least deviation that matters, as a share of the messages. */
export const LEAST_SHIFT = 0.03;
/** Fewest messages that matter. */
export const LEAST_MESSAGES = 10;
/** Days after which a lasting deviation is taken for usual. */
const ACCEPTED_AFTER_DAYS = 56;
/** Days without messages after which a run has ended. */
const SILENT_DAYS = 14;
/** Standard deviations from the middle of the usual band to its edges: 19 of 20 usual days are within. */
const BAND = 1.96;

/** What the parts of an app share of a day. */
export interface Shared {
  /** True if the whole app is out of the ordinary. Of a part, only what is at least as much again is then said. */
  readonly isOut: boolean;
  /** Shift of each outcome. */
  readonly shifts: Float64Array;
}

function leastShift(shared: Shared | undefined, outcome: number): number {
  return shared?.isOut ? Math.max(LEAST_SHIFT, Math.abs(shared.shifts[outcome] ?? 0)) : LEAST_SHIFT;
}

/** A part of an app's messages that is judged: a label, or the whole app. */
export class JudgedPart {
  readonly label: string | undefined;
  /** `delivered` and other outcomes. */
  readonly series: readonly Series[];
  readonly #found: Incident[];
  #lastDay: Day | undefined;
  #judged = 0;

  /** @param found Receives incidents as they end. */
  constructor(label: string | undefined, series: readonly Series[], found: Incident[]) {
    this.label = label;
    this.series = series;
    this.#found = found;
  }

  /** Closes what days without messages have ended. */
  passTo(day: Day): void {
    if (this.#lastDay !== undefined && day - this.#lastDay > SILENT_DAYS) this.#closeAll(true);
  }

  /**
   * Judges a day whose series are scored; returns true if the day is out of the ordinary in any outcome.
   *
   * @param onNew Called if a lasting deviation is now taken for usual.
   */
  judge(
    day: Day,
    levels: AlarmLevels,
    judged: number,
    shared: Shared | undefined,
    onNew: () => void,
  ): boolean {
    this.#lastDay = day;
    this.#judged = judged;
    const delivered = this.series[0];
    if (delivered === undefined) return false;
    let isMarked = false;
    for (const series of this.series) {
      const { outcome, today, run, sum } = series;
      const isDelivered = outcome === 0;
      if (run !== undefined) {
        if (day - run.startDay >= ACCEPTED_AFTER_DAYS) {
          this.#close(series, true);
          onNew();
          isMarked = true;
        } else if (run.endsBefore(today)) {
          this.#close(series, true);
        } else {
          isMarked = true;
        }
        continue;
      }
      // What is not delivered has another outcome: one fault is said once.
      if (!isDelivered && delivered.run !== undefined) {
        sum.reset();
        continue;
      }
      const threshold = levels.of(outcome);
      const { today: deliveredToday } = delivered;
      sum.add(
        today,
        deliveredToday.accepted * (deliveredToday.share - deliveredToday.expected),
        threshold + 2,
      );
      if (sum.value < threshold) {
        if (shared?.isOut) sum.reset();
        continue;
      }
      const excess = sum.sums.seen - sum.sums.expected;
      if (excess < LEAST_MESSAGES || excess < leastShift(shared, outcome) * sum.sums.accepted) {
        if (shared?.isOut) sum.reset();
        continue;
      }
      const isOfDeliveries =
        !isDelivered &&
        2 * sum.undelivered >= excess &&
        sum.undelivered >= leastShift(shared, 0) * sum.sums.accepted;
      const begun = new RunOfDays(sum.startDay, day, sum.days, { ...sum.sums });
      if (isOfDeliveries) {
        begun.sums.expected = begun.sums.accepted * deliveredToday.expected;
        begun.sums.seen = begun.sums.expected + sum.undelivered;
        delivered.run = begun;
        delivered.sum.reset();
      } else {
        series.run = begun;
      }
      sum.reset();
      isMarked = true;
    }
    return isMarked;
  }

  /** Ends what goes on: as ended if there were no messages for long before `lastDay`. */
  finish(lastDay: Day): void {
    this.#closeAll(this.#lastDay !== undefined && lastDay - this.#lastDay > SILENT_DAYS);
  }

  /** Takes for usual what was marked up to now. */
  acceptAside(): void {
    for (const series of this.series) series.acceptAside();
  }

  #closeAll(hasEnded: boolean): void {
    for (const series of this.series) {
      this.#close(series, hasEnded);
      series.sum.reset();
    }
  }

  #close(series: Series, hasEnded: boolean): void {
    const { outcome } = series;
    const name = OUTCOMES[outcome];
    if (series.run === undefined || name === undefined) return;
    const { startDay, lastDay, days, sums } = series.run;
    const usual = sums.expected / sums.accepted;
    const seen = sums.seen / sums.accepted;
    const width = BAND * Math.sqrt((series.usual.variance * days) / sums.precision);
    const percent = (share: number): number =>
      100 * Math.min(1, Math.max(0, outcome === 0 ? 1 - share : share));
    const edges = [percent(usual - width), percent(usual + width)].sort((a, b) => a - b);
    const chance = upperTail(Math.max(0, sums.score / Math.sqrt(sums.precision)));
    this.#found.push({
      label: this.label,
      outcome: name,
      startDay,
      ...(hasEnded && { endDay: lastDay }),
      usualPercent: percent(usual),
      usualLowPercent: edges[0] ?? 0,
      usualHighPercent: edges[1] ?? 0,
      observedPercent: percent(seen),
      excessMessageCount: Math.max(1, Math.round(sums.seen - sums.expected)),
      confidence: Math.max(0, 1 - chance * this.#judged * OUTCOMES.length),
    });
    series.run = undefined;
  }
}
