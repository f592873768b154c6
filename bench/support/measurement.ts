export interface Measurement {
  readonly what: string;
  /** Figures with their units. */
  readonly waybill: string;
  readonly reference: string;
  readonly ratio: string;
  /** Target for the ratio or the figure. */
  readonly target: string;
  readonly isMet: boolean;
}

/** Medians of alternating runs. */
export interface Comparison {
  readonly waybill: number;
  readonly reference: number;
  /** Median of the ratios of pairs: a temporary slowdown of the machine affects both sides of a pair. */
  readonly ratio: number;
}

/** Measures Waybill and its reference alternately. Both functions receive the pair's number, from 0. */
export async function compare(
  pairs: number,
  waybill: (pair: number) => Promise<number>,
  reference: (pair: number) => Promise<number>,
): Promise<Comparison> {
  const measured: Pair[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    measured.push({ waybill: await waybill(pair), reference: await reference(pair) });
  }
  return medians(measured);
}

/** Figures of a pair of runs. */
export interface Pair {
  readonly waybill: number;
  readonly reference: number;
}

/** Returns the medians of alternating runs. */
export function medians(measured: readonly Pair[]): Comparison {
  return {
    waybill: median(measured.map((pair) => pair.waybill)),
    reference: median(measured.map((pair) => pair.reference)),
    ratio: median(measured.map((pair) => pair.waybill / pair.reference)),
  };
}

/** Formats a rate, such as requests per second. Its target is a minimum ratio to the reference. */
export function throughputLine(
  what: string,
  comparison: Comparison,
  least: number,
  unit = "req/s",
): Measurement {
  const format = (figure: number): string => `${rounded(figure)} ${unit}`;
  return line(what, comparison, format, `≥ ${least.toFixed(2)}`, comparison.ratio >= least);
}

/** Formats a figure without alternating runs. Its target is a maximum ratio to the reference. */
export function multipleLine(
  what: string,
  waybill: number,
  reference: number,
  unit: string,
  most: number,
): Measurement {
  const format = (figure: number): string => `${Math.round(figure).toLocaleString("en-US")} ${unit}`;
  const comparison = { waybill, reference, ratio: waybill / reference };
  return line(what, comparison, format, `≤ ${most.toFixed(2)}`, comparison.ratio <= most);
}

/** Formats a duration in milliseconds. Its target is a maximum ratio to the reference. */
export function timeLine(what: string, comparison: Comparison, most: number): Measurement {
  return line(what, comparison, duration, `≤ ${most.toFixed(2)}`, comparison.ratio <= most);
}

/** Formats a figure without a reference, and its target. */
export const figureLine = (what: string, waybill: string, target: string, isMet: boolean): Measurement => ({
  what,
  ...{ waybill, reference: "-", ratio: "-" },
  ...{ target, isMet },
});

function line(
  what: string,
  { waybill, reference, ratio }: Comparison,
  format: (figure: number) => string,
  target: string,
  isMet: boolean,
): Measurement {
  const figures = { waybill: format(waybill), reference: format(reference), ratio: ratio.toFixed(2) };
  return { what, ...figures, target, isMet };
}

const rounded = (figure: number): string =>
  figure.toLocaleString("en-US", { maximumFractionDigits: figure < 1000 ? 1 : 0 });

/** Formats milliseconds for readers. */
export function duration(milliseconds: number): string {
  if (milliseconds === Number.POSITIVE_INFINITY) return "never";
  return milliseconds < 1000 ? `${milliseconds.toPrecision(3)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
