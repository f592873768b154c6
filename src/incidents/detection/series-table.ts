import { RisingSums } from "./rising-sums.js";
import type { RunOfDays } from "./run-of-days.js";
import { exactScore, plainScore, SLACK, SYMMETRIC_SCORE, varianceOf } from "./scores.js";
import { START_DAYS, type StartOfHistory } from "./start-of-history.js";
import { EvaluatedDays, UsualShares } from "./usual-shares.js";

/** Number of marked days that determine their level. */
const ASIDE_DAYS = 28;

// Cells of a series.
/** Level of the days marked since the last unmarked day, and the weight of this level. */
const ASIDE_LEVEL = 0;
const ASIDE_WEIGHT = 1;
/** Score sum of an improvement, days since it was 0, and their level with its weight. */
const BETTER = 2;
const BETTER_DAYS = 3;
const BETTER_LEVEL = 4;
const BETTER_WEIGHT = 5;
const WIDTH = 6;

/**
 * All series of an evaluation. A series is the daily share of one outcome, in one label or the whole app. Each share
 * counts undesired messages: for `delivered`, the messages that were not delivered.
 *
 * An app has thousands of series, and each day reads all of them. Their state is therefore in a few blocks of memory,
 * in reading order.
 */
export class SeriesTable {
  /** Outcome of each series, by number. */
  readonly outcomes: Uint8Array;
  readonly usual: UsualShares;
  readonly sums: RisingSums;
  readonly runs: (RunOfDays | undefined)[];
  readonly today: EvaluatedDays;
  readonly #cells: Float64Array;
  #length = 0;

  /** @param size maximum number of series. */
  constructor(size: number) {
    this.outcomes = new Uint8Array(size);
    this.usual = new UsualShares(size);
    this.sums = new RisingSums(size);
    this.runs = Array(size).fill(undefined);
    this.today = new EvaluatedDays(size);
    this.#cells = new Float64Array(size * WIDTH);
  }

  /** Number of series, and index for the next series. */
  get length(): number {
    return this.#length;
  }

  /** Adds a series. `base` is the share from which its variance is computed. */
  add(outcome: number, start: StartOfHistory, base = start.level): void {
    const series = this.#length++;
    this.outcomes[series] = outcome;
    this.usual.start(series, start, varianceOf(base));
  }

  /** Begins to evaluate a day, compared with the usual shares before it. */
  begin(series: number, share: number, accepted: number, expected: number, variance: number): void {
    const ofCounts = 1 / accepted;
    const { today, usual } = this;
    usual.setVariance(series, variance);
    today.accepted[series] = accepted;
    today.share[series] = share;
    today.expected[series] = expected;
    today.ofCounts[series] = ofCounts;
    today.precision[series] = usual.precision(series, ofCounts);
  }

  /** Scores the day's share. `shared` is the shift that the whole app explains. */
  score(series: number, shared: number): void {
    const { today, usual } = this;
    const share = today.share[series] ?? Number.NaN;
    const precision = today.precision[series] ?? Number.NaN;
    const expected = Math.min(1, Math.max(0, (today.expected[series] ?? Number.NaN) + shared));
    const plain = plainScore(share, expected, precision);
    today.expected[series] = expected;
    today.score[series] =
      plain < SYMMETRIC_SCORE
        ? plain
        : exactScore(
            share,
            expected,
            today.accepted[series] ?? Number.NaN,
            precision,
            usual.freedom(series, precision),
          );
  }

  /** Updates the usual shares with an unmarked day. */
  learn(series: number, weekday: number, threshold: number, isStart: boolean): void {
    const { today, usual } = this;
    const cells = this.#cells;
    const at = series * WIDTH;
    usual.learnSpread(series, today);
    if (cells[at + ASIDE_WEIGHT] !== 0) cells[at + ASIDE_WEIGHT] = 0;
    if (isStart) return;
    usual.learn(series, today, weekday);
    const before = cells[at + BETTER] ?? Number.NaN;
    const better = Math.max(0, Math.min(2 * threshold, before - (today.score[series] ?? Number.NaN) - SLACK));
    cells[at + BETTER] = better;
    if (better > 0) {
      this.#improve(series, threshold);
    } else {
      cells[at + BETTER_DAYS] = 0;
      cells[at + BETTER_WEIGHT] = 0;
    }
  }

  /** Adds the day to an improvement. An improvement that lasts counts as usual. */
  #improve(series: number, threshold: number): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    const precision = this.today.precision[series] ?? Number.NaN;
    const days = (cells[at + BETTER_DAYS] ?? Number.NaN) + 1;
    const weight = (cells[at + BETTER_WEIGHT] ?? Number.NaN) + precision;
    const before = cells[at + BETTER_LEVEL] ?? Number.NaN;
    const level = before + (((this.today.share[series] ?? Number.NaN) - before) * precision) / weight;
    cells[at + BETTER_DAYS] = days;
    cells[at + BETTER_WEIGHT] = weight;
    cells[at + BETTER_LEVEL] = level;
    if ((cells[at + BETTER] ?? Number.NaN) < threshold || days < START_DAYS) return;
    this.usual.restart(series, level, weight);
    cells[at + BETTER] = 0;
  }

  /** Records a marked day separately from the usual shares. */
  setAside(series: number): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    const precision = this.today.precision[series] ?? Number.NaN;
    const weight = (cells[at + ASIDE_WEIGHT] ?? Number.NaN) * (1 - 1 / ASIDE_DAYS) + precision;
    const before = cells[at + ASIDE_LEVEL] ?? Number.NaN;
    cells[at + ASIDE_WEIGHT] = weight;
    cells[at + ASIDE_LEVEL] =
      before + (((this.today.share[series] ?? Number.NaN) - before) * precision) / weight;
  }

  /** Accepts as usual the level on the days marked since the last unmarked day. */
  acceptAside(series: number): void {
    const at = series * WIDTH;
    const weight = this.#cells[at + ASIDE_WEIGHT] ?? Number.NaN;
    if (weight > 0) this.usual.restart(series, this.#cells[at + ASIDE_LEVEL] ?? Number.NaN, weight);
    this.#cells[at + ASIDE_WEIGHT] = 0;
    this.sums.reset(series);
  }
}
