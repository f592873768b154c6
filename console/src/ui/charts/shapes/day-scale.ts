import type { Day } from "../../../../../src/model/day.js";
import { type DayRange, daysIn, daysOf } from "../../../model/days/day-range.js";

/** Positions of days on the horizontal axis of a chart, in pixels. */
export interface DayScale {
  readonly range: DayRange;
  /** Width of a day, with the gap beside its bar. */
  readonly step: number;
  /** Width of a day's bar. */
  readonly bar: number;
  /** Left edge of a day's bar. */
  left(day: Day): number;
  /** Center of a day's bar. */
  center(day: Day): number;
  /** The day at a position, or the nearest one. */
  dayAt(x: number): Day;
  /** Days to label on the axis, at least `labelWidth` pixels apart. */
  ticks(labelWidth: number): readonly Day[];
}

/** Steps between labelled days, mostly whole weeks. */
const TICK_STEPS = [1, 2, 7, 14, 28, 56, 91, 182, 364, 728] as const;
/** Least width in pixels at which a day has a gap beside its bar. */
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
      // Counts back from the last day, which always has a label.
      return daysOf(range).filter((day) => (range.last - day) % every === 0);
    },
  };
}
