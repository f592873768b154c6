import { scaleLinear } from "@visx/scale";

/** Positions of values on the vertical axis of a chart, in pixels. */
export interface ValueScale {
  y(value: number): number;
  /** Values with a grid line. */
  readonly ticks: readonly number[];
}

/** Approximate pixels between grid lines. */
const TICK_DISTANCE = 60;
/** Plots lower than this, in pixels, have grid lines only at the ends and the middle. */
const LOW = 100;

/**
 * Makes a scale from 0, or a round number of at most `least`, at `bottom` to a round number of at least `max` at `top`.
 * @param limit greatest possible value, such as 100 percent
 */
export function valueScaleOf(
  max: number,
  top: number,
  bottom: number,
  limit = Infinity,
  least = 0,
): ValueScale {
  const height = bottom - top;
  const wanted = Math.max(height < LOW ? 2 : 3, Math.floor(height / TICK_DISTANCE));
  const nice = scaleLinear<number>({
    domain: [least, max > least ? max : least + 1],
    range: [bottom, top],
  }).nice(wanted);
  const [lowest = 0, highest = 1] = nice.domain();
  const scale = highest > limit ? nice.domain([lowest, limit]) : nice;
  return { y: (value) => scale(value), ticks: scale.ticks(wanted) };
}
