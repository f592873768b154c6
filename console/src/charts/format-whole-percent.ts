const WHOLE = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

/** Formats a percentage as `25%`, for axes. */
export const formatWholePercent = (percent: number): string => WHOLE.format(percent / 100);
