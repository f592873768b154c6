import { type Interval, percentOf, wilsonInterval } from "./shares.js";

/** Messages of one day: `count` in a category, out of `of`. */
export interface Sample {
  readonly count: number;
  readonly of: number;
  /** False for a day with an incident, which does not show how much usual days vary. */
  readonly isUsual: boolean;
}

/** The difference between two shares. */
export interface Difference {
  /**
   * Confidence interval for the right share minus the left one, in percentage points. Undefined if too few days have
   * messages.
   */
  readonly interval: Interval | undefined;
  /** True if the interval excludes 0, so that chance does not explain the difference. Undefined without an interval. */
  readonly isBeyondChance: boolean | undefined;
}

/** Minimum number of days with messages on each side. Fewer do not show how much days vary. */
export const MIN_DAYS = 5;
/** Standard errors on each side of the interval: 99.7 %, because about 20 categories are compared at once. */
const ERRORS = 3;

/**
 * Compares a category's share on two sides. Uses Newcombe's interval for the difference between two proportions, which
 * combines two score intervals (Newcombe 1998, method 10). Messages sent on the same day are correlated, so daily shares
 * vary more than independent messages would. Each side's sample size is therefore divided by its overdispersion
 * (quasi-likelihood, Wedderburn 1974), and the quantile comes from Student's distribution. Only usual days show how much
 * days vary: otherwise, an incident would hide its own effect.
 */
export function differenceOf(left: readonly Sample[], right: readonly Sample[]): Difference {
  const [from, to] = [sideOf(left), sideOf(right)];
  const [p, q] = [percentOf(from.count, from.of), percentOf(to.count, to.of)];
  if (Math.min(from.days, to.days) < MIN_DAYS || p === undefined || q === undefined)
    return { interval: undefined, isBeyondChance: undefined };
  const { dispersions, days } = dispersionsOf(left, right);
  const errors = studentErrors(days - 1);
  const [a, b] = [from, to].map(({ count, of }, side) => {
    const dispersion = dispersions[side] ?? Number.NaN;
    return wilsonInterval(count / dispersion, of / dispersion, errors);
  }) as [Interval, Interval];
  const interval = {
    low: q - p - Math.hypot(q - b.low, a.high - p),
    high: q - p + Math.hypot(b.high - q, p - a.low),
  };
  return { interval, isBeyondChance: interval.low > 0 || interval.high < 0 };
}

interface Dispersions {
  readonly dispersions: readonly [left: number, right: number];
  /** Number of days behind the weaker estimate. */
  readonly days: number;
}

/**
 * Returns the overdispersion of both sides, from usual days. A side with fewer than {@link MIN_DAYS} usual days uses
 * the other side's overdispersion. If neither has enough, all days count.
 */
function dispersionsOf(left: readonly Sample[], right: readonly Sample[]): Dispersions {
  const usual = [left, right].map((side) => dispersionOf(side.filter(({ isUsual }) => isUsual)));
  const known = usual.filter(({ days }) => days >= MIN_DAYS);
  const [one, other] = known.length === 0 ? [left, right].map(dispersionOf) : known;
  if (one === undefined) throw new Error("a comparison needs two sides");
  const second = other ?? one;
  return { dispersions: [one.dispersion, second.dispersion], days: Math.min(one.days, second.days) };
}

/** Adds up a side's days with messages. */
function sideOf(samples: readonly Omit<Sample, "isUsual">[]): Omit<Sample, "isUsual"> & { days: number } {
  const days = samples.filter(({ of }) => of > 0);
  return {
    days: days.length,
    count: days.reduce((sum, each) => sum + each.count, 0),
    of: days.reduce((sum, each) => sum + each.of, 0),
  };
}

/** Returns the daily variance relative to binomial variance, at least 1. */
function dispersionOf(samples: readonly Sample[]): { dispersion: number; days: number } {
  const { count, of, days } = sideOf(samples);
  const share = count / of;
  const variance = share * (1 - share);
  if (days < 2 || !(variance > 0)) return { dispersion: 1, days };
  const chiSquare = samples.reduce(
    (sum, day) => (day.of > 0 ? sum + (day.count - day.of * share) ** 2 / (day.of * variance) : sum),
    0,
  );
  return { dispersion: Math.max(1, chiSquare / (days - 1)), days };
}

/**
 * Returns the quantile of Student's distribution with the same tail probability as {@link ERRORS} in the normal one.
 * Uses the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), accurate to 1 % from 4 degrees of freedom.
 */
function studentErrors(freedom: number): number {
  const z = ERRORS;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3) +
    (79 * z ** 9 + 776 * z ** 7 + 1_482 * z ** 5 - 1_920 * z ** 3 - 945 * z) / (92_160 * freedom ** 4)
  );
}

export type Verdict = "better" | "worse";

/**
 * Rates a change of a share. If there are too few days for the test, only an incident supports a verdict. Undefined if
 * the change may be due to chance.
 *
 * @param hasFallen true if an incident of exactly these messages lowered the share.
 */
export function supportedVerdict({
  change,
  good,
  isBeyondChance,
  hasFallen,
}: Pick<Difference, "isBeyondChance"> & {
  /** In percentage points. */
  readonly change: number;
  /** The direction that is better. */
  readonly good: "up" | "down";
  readonly hasFallen: boolean;
}): Verdict | undefined {
  if (change === 0) return undefined;
  const verdict = change > 0 === (good === "up") ? "better" : "worse";
  return (isBeyondChance ?? (verdict === "worse" && hasFallen)) ? verdict : undefined;
}
