import type { Day } from "../../../src/model/day.js";
import { type DayRange, daysIn, daysOf } from "../days/day-range.js";

/** Where days stand on the horizontal axis of a chart, in pixels. */
export interface DayScale {
  readonly range: DayRange;
  /** Width that each day has. */
  readonly step: number;
  /** Width of the bar of a day. */
  readonly bar: number;
  /** Left edge of the bar of a day. */
  left(day: Day): number;
  /** Middle of a day. */
  center(day: Day): number;
  /** The day at a position; the nearest one if there is none. */
  dayAt(x: number): Day;
  /** The days to name on the axis, so that names of `labelWidth` pixels do not touch. */
  ticks(labelWidth: number): readonly Day[];
}

/** Distances between days that are named: readers count in weeks. */
const TICK_STEPS = [1, 2, 7, 14, 28, 56, 91, 182, 364, 728] as const;
/** A bar that is narrower than this has no gap beside it. */
const MIN_GAPPED = 3;
const GAP_SHARE = 0.18;

/** Spreads the days of a range over the pixels from `start` to `end`. */
export function dayScaleOf(range: DayRange, start: number, end: number): DayScale {
  const days = daysIn(range);
  const step = Math.max(0, end - start) / days;
  const gap = step < MIN_GAPPED ? 0 : Math.max(1, step * GAP_SHARE);
  const left = (day: Day): number => start + (day - range.first) * step + gap / 2;
  const bar = step - gap;
  return {
    range,
    step,
    bar,
    left,
    center: (day) => left(day) + bar / 2,
    dayAt: (x) => {
      const index = Math.floor((x - start) / (step || 1));
      return range.first + Math.min(days - 1, Math.max(0, index));
    },
    ticks: (labelWidth) => {
      const every = TICK_STEPS.find((tickStep) => tickStep * step >= labelWidth) ?? days;
      // Counted from the last day, which is the one that readers look for.
      return daysOf(range).filter((day) => (range.last - day) % every === 0);
    },
  };
}
