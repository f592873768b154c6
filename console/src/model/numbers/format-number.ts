/**
 * Returns the English locale for a locale's region: `en-DE` for `de`. The page is in English. Digits or months in
 * another script, possibly right to left, would break its sentences.
 */
export function englishLocaleOf(locale: string): string {
  const { region } = new Intl.Locale(locale).maximize();
  return region === undefined ? "en" : `en-${region}`;
}

/** Locale for all numbers and dates on the page. */
export const LOCALE = englishLocaleOf(Intl.DateTimeFormat().resolvedOptions().locale);

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const COUNT = new Intl.NumberFormat(LOCALE);
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent", ...ONE_DIGIT });
const WHOLE_PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
const COUNT_CHANGE = new Intl.NumberFormat(LOCALE, { signDisplay: "exceptZero" });
const POINTS = new Intl.NumberFormat(LOCALE, { ...ONE_DIGIT, signDisplay: "exceptZero" });
const ONE = new Intl.NumberFormat(LOCALE, ONE_DIGIT);
const CHANGE = new Intl.NumberFormat(LOCALE, { style: "percent", ...ONE_DIGIT, signDisplay: "exceptZero" });

/** Formats a count as `12,345`, in the viewer's regional style. */
export const formatCount = (count: number): string => COUNT.format(count);

/** Formats a count as `12.3K`, for axes. */
export const formatCompact = (count: number): string => COMPACT.format(count);

/**
 * Formats a percentage as `93.4%`, and undefined as a dash. Shares that would round to 0 or 100 % become `<0.1%` or
 * `>99.9%`.
 */
export function formatPercent(percent: number | undefined): string {
  if (percent === undefined) return "–";
  if (percent > 0 && percent < 0.05) return `<${PERCENT.format(0.001)}`;
  if (percent < 100 && percent >= 99.95) return `>${PERCENT.format(0.999)}`;
  return PERCENT.format(percent / 100);
}

/** Formats a percentage as `25%`, for axes. */
export const formatWholePercent = (percent: number): string => WHOLE_PERCENT.format(percent / 100);

/** Formats a difference between counts: `+1,234`. */
export const formatCountChange = (count: number): string => withMinus(COUNT_CHANGE.format(count));

/** Formats a difference between percentages: `+1.2 pts`. */
export const formatPoints = (points: number): string => `${withMinus(POINTS.format(points))} pts`;

/** Formats a number of percentage points: `1.2 points`. */
export const formatUnsignedPoints = (points: number): string => `${ONE.format(points)} points`;

/** Formats a relative change: `+3.4%`. */
export const formatChange = (percent: number): string => withMinus(CHANGE.format(percent / 100));

/** Replaces the hyphen in negative numbers by a minus sign. */
const withMinus = (text: string): string => text.replace("-", "−");

const UNITS = [
  { seconds: 86_400, one: "day", many: "days" },
  { seconds: 3600, one: "hour", many: "hours" },
  { seconds: 60, one: "minute", many: "minutes" },
  { seconds: 1, one: "second", many: "seconds" },
] as const;

/** Formats a JSON duration (`"5400s"`) as `1 hour 30 minutes`. */
export function formatTtl(duration: string): string {
  let rest = Number.parseFloat(duration);
  const parts: string[] = [];
  for (const { seconds, one, many } of UNITS) {
    const count = seconds === 1 ? rest : Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count} ${count === 1 ? one : many}`);
  }
  return parts.length > 0 ? parts.join(" ") : "0 seconds";
}
