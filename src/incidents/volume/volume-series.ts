import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import { FarDays } from "./far-days.js";
import { logRatio, UsualVolume } from "./usual-volume.js";
import { type VolumeDay, VolumeRun } from "./volume-run.js";

/** Minimum usual number of messages for a day to be evaluated. */
const LEAST_EXPECTED = 20;
/** Maximum fraction of the usual number of messages on a low day. */
const LOW = 0.1;
/** Number of days after which a lasting change counts as usual. It is the same for shares. */
const ACCEPTED_AFTER_DAYS = 56;
/** Number of days at a lasting change's end that determine the new usual numbers. */
const LEARNED_DAYS = 28;
/** Minimum number of compared days before falls and rises are evaluated. */
const LEAST_COMPARED = 14;
/**
 * Number of recent days to compare with. A silence has fewer than half as many messages as the lowest of these days.
 */
const LEAST_DAYS = 28;
/**
 * Maximum number of pending days: days that may belong to a change, and therefore do not affect the usual numbers yet.
 */
const MOST_PENDING = 10;

/** Parameters of a score sum (CUSUM) that raises an alarm. */
interface Sums {
  readonly slack: number;
  /** Maximum score of a day. It determines the minimum number of days. */
  readonly most: number;
  readonly threshold: number;
}

/** Needs at least two days. A day with almost no messages is a silence instead. */
const FALL: Sums = { slack: 1.5, most: 5, threshold: 6 };
/** Needs at least three days. A campaign of three days is no incident, because {@link highDays} needs four. */
const RISE: Sums = { slack: 1, most: 2.5, threshold: 4 };
/** Minimum ratio to the usual number for a fall, and for a rise. */
const LEAST_FALL = 0.6;
const LEAST_RISE = 2;
/** Minimum change of the first day of a fall and of a rise. */
const FIRST_FALL = 0.8;
const FIRST_RISE = 1.5;
/** Minimum change for an incident, in messages. */
const LEAST_MESSAGES = 50;

/** The evaluated messages of a label or of the whole app, day by day. */
export class VolumeSeries {
  readonly #startDays: number;
  readonly #found: (run: VolumeRun, hasEnded: boolean) => void;
  #usual = new UsualVolume();
  #lows = lowDays();
  #highs = highDays();
  /** Numbers of messages on recent compared days. */
  #least: number[] = [];
  /** First and last day with messages. */
  #firstDay: Day | undefined;
  #lastDay: Day | undefined;
  #run: VolumeRun | undefined;
  /** Days that may belong to a change, and therefore do not affect the usual numbers yet. */
  #pending: VolumeDay[] = [];
  /** Days since the score sum for each kind of change was 0. */
  #low: VolumeDay[] = [];
  #high: VolumeDay[] = [];
  #falling: VolumeDay[] = [];
  #rising: VolumeDay[] = [];
  #fallen = 0;
  #risen = 0;

  /**
   * @param startDays number of days with messages before the first evaluated one, including days between them.
   * @param found receives runs as they end.
   */
  constructor(startDays: number, found: (run: VolumeRun, hasEnded: boolean) => void) {
    this.#startDays = startDays;
    this.#found = found;
  }

  /**
   * Evaluates the next day.
   *
   * @param count `NaN` if it is unknown.
   * @returns the usual number; `NaN` for days that are not evaluated.
   */
  evaluate(day: Day, count: number): number {
    if (Number.isNaN(count)) return Number.NaN;
    if (this.#run !== undefined && day - this.#run.startDay >= ACCEPTED_AFTER_DAYS) this.#accept(this.#run);
    if (this.#firstDay === undefined && count === 0) return Number.NaN;
    this.#firstDay ??= day;
    const expected = this.#evaluateKnown(day, count);
    if (count > 0) this.#lastDay = day;
    return expected;
  }

  #evaluateKnown(day: Day, count: number): number {
    const expected = this.#usual.expected(day);
    if (expected === undefined || expected < LEAST_EXPECTED) {
      if (this.#run === undefined) this.#usual.learn(day, count, false);
      return Number.NaN;
    }
    const variance = this.#usual.spread() + 1 / expected;
    const score = logRatio(count, expected) / Math.sqrt(variance);
    const today = {
      day,
      count,
      expected,
      variance,
      score,
      isLow: count <= LOW * expected,
      isHigh: count >= LEAST_RISE * expected,
    };
    if (this.#run === undefined) this.#evaluateUsual(today);
    else if (this.#run.endsBefore(today)) {
      const { later } = this.#run;
      this.#end(this.#run);
      for (const each of [...later, today]) this.#evaluateUsual(each);
    }
    return expected;
  }

  /** Reports the ongoing run. */
  finish(): void {
    if (this.#run !== undefined) this.#found(this.#run, false);
  }

  #evaluateUsual(today: VolumeDay): void {
    if (this.#isStart()) {
      this.#learn(today);
      return;
    }
    this.#pending.push(today);
    if (today.isLow) this.#low.push(today);
    else this.#addScores(today);
    if (this.#isSilent()) this.#begin("fewer", this.#low);
    else if (this.#usual.comparedDays >= LEAST_COMPARED) this.#beginChange();
    const waits = Math.max(this.#low.length, this.#falling.length, this.#rising.length);
    const learned = Math.max(0, this.#pending.length - Math.min(MOST_PENDING, waits));
    for (const day of this.#pending.splice(0, learned)) this.#learn(day);
  }

  /** True if the days with messages before today do not span enough days yet. */
  #isStart(): boolean {
    if (this.#firstDay === undefined || this.#lastDay === undefined) return true;
    return this.#lastDay - this.#firstDay + 1 < this.#startDays;
  }

  #addScores(today: VolumeDay): void {
    if (this.#low.length > 0) this.#low = endRun(this.#lows, this.#low);
    if (today.isHigh) this.#high.push(today);
    else if (this.#high.length > 0) this.#high = endRun(this.#highs, this.#high);
    this.#fallen = add(this.#falling, this.#fallen, today, -today.score, FALL);
    this.#risen = add(this.#rising, this.#risen, today, today.score, RISE);
  }

  /** Begins a fall or rise if the scores raise an alarm. */
  #beginChange(): void {
    if (this.#fallen >= FALL.threshold) {
      const falling = from(this.#falling, ({ count, expected }) => count <= FIRST_FALL * expected);
      if (isFall(falling)) this.#begin("fewer", falling);
    } else if (this.#risen >= RISE.threshold && this.#highs.areUnusual(this.#high)) {
      const rising = from(this.#rising, ({ count, expected }) => count >= FIRST_RISE * expected);
      if (isRise(rising)) this.#begin("more", rising);
    }
  }

  /** Returns true if the low days up to now are a silence. */
  #isSilent(): boolean {
    if (this.#low.length === 0) return false;
    const least = Math.min(...this.#least);
    return this.#lows.areUnusual(this.#low) && this.#low.every(({ count }) => 2 * count <= least);
  }

  #begin(direction: "fewer" | "more", days: readonly VolumeDay[]): void {
    const first = at(days, 0);
    for (const day of this.#pending) if (day.day < first.day) this.#learn(day);
    this.#run = new VolumeRun(direction, days, this.#lows.probability(first.day));
    this.#reset();
  }

  #end(run: VolumeRun): void {
    this.#found(run, true);
    this.#run = undefined;
    const far = run.direction === "more" ? this.#highs : this.#lows;
    far.addRun(
      run.days.filter(({ isLow, isHigh }) => isLow || isHigh),
      true,
    );
  }

  /** Accepts a lasting change as usual. After a silence, the next message begins a new history. */
  #accept(run: VolumeRun): void {
    this.#end(run);
    this.#usual = new UsualVolume();
    this.#lows = lowDays();
    this.#highs = highDays();
    this.#least = [];
    this.#firstDay = run.kind === "silence" ? undefined : run.startDay;
    if (run.kind === "silence") return;
    for (const { day, count } of [...run.days, ...run.later].slice(-LEARNED_DAYS))
      this.#usual.learn(day, count, false);
  }

  #learn(day: VolumeDay): void {
    this.#usual.learn(day.day, day.count, day.isLow);
    this.#lows.add(day.isLow);
    this.#highs.add(day.isHigh);
    if (day.isLow) return;
    this.#least.push(day.count);
    if (this.#least.length > LEAST_DAYS) this.#least.shift();
  }

  #reset(): void {
    this.#pending = [];
    this.#low = [];
    this.#high = [];
    this.#falling = [];
    this.#rising = [];
    this.#fallen = 0;
    this.#risen = 0;
  }
}

/** Adds a day's score to a sum, and the day to the days since it was 0. */
function add(days: VolumeDay[], before: number, today: VolumeDay, score: number, sums: Sums): number {
  const sum = Math.max(0, Math.min(sums.threshold + 2, before + Math.min(sums.most, score) - sums.slack));
  if (sum === 0) days.length = 0;
  else days.push(today);
  return sum;
}

/** A first low day is unusual. Further ones are unusual if their probability is less than 1 in 3,000. */
const lowDays = (): FarDays => new FarDays(0, 8);
/** High days are unusual if their probability is less than 1 in 400,000: four days at least. */
const highDays = (): FarDays => new FarDays(1, 13);

/** Ends a run of far days without an incident. */
function endRun(far: FarDays, run: readonly VolumeDay[]): VolumeDay[] {
  far.addRun(run, false);
  return [];
}

/** Returns the days from the first one with a property. */
function from(days: readonly VolumeDay[], is: (day: VolumeDay) => boolean): readonly VolumeDay[] {
  const first = days.findIndex(is);
  return first < 0 ? [] : days.slice(first);
}

const isFall = (days: readonly VolumeDay[]): boolean => {
  const { count, expected } = sumOf(days);
  return count <= LEAST_FALL * expected && expected - count >= LEAST_MESSAGES;
};

const isRise = (days: readonly VolumeDay[]): boolean => {
  const { count, expected } = sumOf(days);
  return count >= LEAST_RISE * expected && count - expected >= LEAST_MESSAGES;
};

/** Adds up the messages of days. */
export function sumOf(days: readonly VolumeDay[]): { readonly count: number; readonly expected: number } {
  let [count, expected] = [0, 0];
  for (const day of days) {
    count += day.count;
    expected += day.expected;
  }
  return { count, expected };
}
