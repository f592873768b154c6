import { scaleLinear } from "@visx/scale";

/** Where values stand on the vertical axis of a chart, in pixels. */
export interface ValueScale {
  /** The position of a value. */
  y(value: number): number;
  /** The values that have a line of the grid. */
  readonly ticks: readonly number[];
}

/** Pixels from one line of the grid to the next, about. */
const TICK_DISTANCE = 60;
/** A lower plot has its ends and its middle, nothing more. */
const LOW = 100;

/**
 * A scale from 0, at `bottom`, to a round number that is not below `max`, at `top`.
 *
 * @param limit no value can be above it, such as 100 percent
 */
export function valueScaleOf(max: number, top: number, bottom: number, limit = Infinity): ValueScale {
  const height = bottom - top;
  const wanted = Math.max(height < LOW ? 2 : 3, Math.floor(height / TICK_DISTANCE));
  const nice = scaleLinear<number>({ domain: [0, max > 0 ? max : 1], range: [bottom, top] }).nice(wanted);
  const [, highest = 1] = nice.domain();
  const scale = highest > limit ? nice.domain([0, limit]) : nice;
  return { y: (value) => scale(value), ticks: scale.ticks(wanted) };
}
