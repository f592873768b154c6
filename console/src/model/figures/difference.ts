import { type Interval, percentOf, wilsonInterval } from "../numbers/counts.js";

/** Messages of one day: `count` in a category, out of `of`. */
export interface Sample {
  readonly count: number;
  readonly of: number;
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
 * Compares a category's share on two sides. Uses Newcombe's interval for the difference between two proportions,
 * which combines two score * intervals (Newcombe 1998, method 10). Messages sent on the same day are correlated, so
 * daily shares vary more than independent * messages would. Each side's sample size is therefore divided by its
 * overdispersion (quasi-likelihood, * Wedderburn 1974), and the quantile comes from Student's distribution.
 */
export function differenceOf(left: readonly Sample[], right: readonly Sample[]): Difference {
  const [from, to] = [sideOf(left), sideOf(right)];
  const days = Math.min(from.days, to.days);
  const [p, q] = [percentOf(from.count, from.of), percentOf(to.count, to.of)];
  if (days < MIN_DAYS || p === undefined || q === undefined)
    return { interval: undefined, isBeyondChance: undefined };
  const errors = studentErrors(days - 1);
  const [a, b] = [from, to].map(({ count, of, dispersion }) =>
    wilsonInterval(count / dispersion, of / dispersion, errors),
  ) as [Interval, Interval];
  const interval = {
    low: q - p - Math.hypot(q - b.low, a.high - p),
    high: q - p + Math.hypot(b.high - q, p - a.low),
  };
  return { interval, isBeyondChance: interval.low > 0 || interval.high < 0 };
}

/** Returns the sums for a side and its overdispersion: daily variance relative to binomial variance, at least 1. */
function sideOf(samples: readonly Sample[]): Sample & { days: number; dispersion: number } {
  const days = samples.filter(({ of }) => of > 0);
  const count = days.reduce((sum, each) => sum + each.count, 0);
  const of = days.reduce((sum, each) => sum + each.of, 0);
  const share = count / of;
  const variance = share * (1 - share);
  if (days.length < 2 || !(variance > 0)) return { count, of, days: days.length, dispersion: 1 };
  const chiSquare = days.reduce(
    (sum, day) => sum + (day.count - day.of * share) ** 2 / (day.of * variance),
    0,
  );
  return { count, of, days: days.length, dispersion: Math.max(1, chiSquare / (days.length - 1)) };
}

/**
 * Returns the quantile of Student's distribution with the same tail probability as {@link ERRORS} in the normal one.
 * Uses the Cornish-Fisher * expansion (Abramowitz and Stegun 26.7.5), accurate to 1 % from 4 degrees of freedom.
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
