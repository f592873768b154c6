const COUNT = new Intl.NumberFormat();
const COMPACT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(undefined, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const POINTS = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

const CHANGE = new Intl.NumberFormat(undefined, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** `12,345`, as the viewer's locale has it. */
export const formatCount = (count: number): string => COUNT.format(count);

/** `12.3K`, for axes. */
export const formatCompact = (count: number): string => COMPACT.format(count);

/** `93.4%`; a dash where there is nothing to be a part of. A part that would round to nothing or to all is told apart. */
export function formatPercent(percent: number | undefined): string {
  if (percent === undefined) return "–";
  if (percent > 0 && percent < 0.05) return `<${PERCENT.format(0.001)}`;
  if (percent < 100 && percent >= 99.95) return `>${PERCENT.format(0.999)}`;
  return PERCENT.format(percent / 100);
}

/** A difference of two percentages: `+1.2 pts`. */
export const formatPoints = (points: number): string => `${POINTS.format(points)} pts`;

/** By how much a count has changed: `+3.4%`. */
export const formatChange = (percent: number): string => CHANGE.format(percent / 100);
