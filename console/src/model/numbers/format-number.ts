import { LOCALE } from "./locale.js";

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const COUNT = new Intl.NumberFormat(LOCALE);
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent", ...ONE_DIGIT });
const WHOLE_PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
const COUNT_CHANGE = new Intl.NumberFormat(LOCALE, { signDisplay: "exceptZero" });
const POINTS = new Intl.NumberFormat(LOCALE, { ...ONE_DIGIT, signDisplay: "exceptZero" });
const ONE = new Intl.NumberFormat(LOCALE, ONE_DIGIT);
const CHANGE = new Intl.NumberFormat(LOCALE, { style: "percent", ...ONE_DIGIT, signDisplay: "exceptZero" });

/** Formats a count as `12,345`, as usual in the viewer's region. */
export const formatCount = (count: number): string => COUNT.format(count);

/** Formats a count as `12.3K`, for axes. */
export const formatCompact = (count: number): string => COMPACT.format(count);

/**
 * Formats a percentage as `93.4%`, and undefined as a dash. Shares that would round to 0 or 100 % are shown
 * as `<0.1%` and `>99.9%`.
 */
export function formatPercent(percent: number | undefined): string {
  if (percent === undefined) return "–";
  if (percent > 0 && percent < 0.05) return `<${PERCENT.format(0.001)}`;
  if (percent < 100 && percent >= 99.95) return `>${PERCENT.format(0.999)}`;
  return PERCENT.format(percent / 100);
}

/** Formats a percentage as `25%`, for axes. */
export const formatWholePercent = (percent: number): string => WHOLE_PERCENT.format(percent / 100);

/** Formats the difference of two counts: `+1,234`. */
export const formatCountChange = (count: number): string => withMinus(COUNT_CHANGE.format(count));

/** Formats a difference of two percentages: `+1.2 pts`. */
export const formatPoints = (points: number): string => `${withMinus(POINTS.format(points))} pts`;

/** Formats a number of percentage points: `1.2 points`. */
export const formatUnsignedPoints = (points: number): string => `${ONE.format(points)} points`;

/** Formats the relative change of a count: `+3.4%`. */
export const formatChange = (percent: number): string => withMinus(CHANGE.format(percent / 100));

/** Replaces the hyphen by which English locales mark negative numbers. */
const withMinus = (text: string): string => text.replace("-", "−");
