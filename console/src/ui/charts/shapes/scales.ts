import { scaleLinear } from "@visx/scale";
import { type DayRange, daysIn, daysOf } from "#console/model/days/day-range.js";
import { monthsIn, periodLength, periodOf } from "#console/model/days/period.js";
import type { Day } from "#src/model/day.js";

/** The plot's edges within its chart, in pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly days: DayScale;
}

/** Width of value labels to the left, in pixels. */
const VALUES_WIDTH = 44;
/** Height of day labels below, in pixels. */
const DAYS_HEIGHT = 24;
/** Height of day marks above, in pixels. */
const MARKS_HEIGHT = 18;

/** Splits a chart into axes and plot. */
export function plotOf(width: number, height: number, range: DayRange): Plot {
  const right = Math.max(VALUES_WIDTH + 1, width - 1);
  return {
    left: VALUES_WIDTH,
    right,
    top: MARKS_HEIGHT,
    bottom: height - DAYS_HEIGHT,
    days: dayScaleOf(range, VALUES_WIDTH, right),
  };
}

/** Positions of days on the horizontal axis, in pixels. In a long range, all days of a week share a bar. */
export interface DayScale {
  readonly range: DayRange;
  /** Maximum number of days per bar: 1, or 7 in a long range. */
  readonly period: 1 | 7;
  /** Width of a whole period, including the gap between bars. */
  readonly step: number;
  /** Returns the days in the same bar. */
  periodOf(day: Day): DayRange;
  /** Bar width for a day. Partial weeks are narrower. */
  width(day: Day): number;
  /** Left edge of a day's bar. */
  left(day: Day): number;
  center(day: Day): number;
  /** Start of the day itself. */
  start(day: Day): number;
  /** Returns the first day in the nearest bar. */
  dayAt(x: number): Day;
  /** Returns days to label, at least `labelWidth` pixels apart. In a long range, these are first days of months. */
  ticks(labelWidth: number): readonly Day[];
}

/** Steps between labeled days, mostly whole weeks. */
const TICK_STEPS = [1, 2, 7, 14, 28, 56, 91, 182] as const;
/** Steps between labeled months. */
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600] as const;
/** Minimum number of days in a month. */
const DAYS_OF_MONTH = 28;
/** Minimum step in pixels for a gap between bars. */
const MIN_GAPPED = 3;
const GAP_SHARE = 0.18;

/** Maps a range to the pixels from `start` to `end`. */
export function dayScaleOf(range: DayRange, start: number, end: number): DayScale {
  const days = daysIn(range);
  const dayWidth = Math.max(0, end - start) / days;
  const period = periodLength(range);
  const step = period * dayWidth;
  const gap = step < MIN_GAPPED ? 0 : Math.max(1, step * GAP_SHARE);
  const startOf = (day: Day): number => start + (day - range.first) * dayWidth;
  const width = (day: Day): number => {
    const whole = daysIn(periodOf(day, range)) * dayWidth;
    // Keeps bars of one or two days visible.
    return Math.max(whole / 2, whole - gap);
  };
  const left = (day: Day): number => {
    const days = periodOf(day, range);
    return startOf(days.first) + (daysIn(days) * dayWidth - width(day)) / 2;
  };
  return {
    range,
    period,
    step,
    periodOf: (day) => periodOf(day, range),
    width,
    left,
    center: (day) => left(day) + width(day) / 2,
    start: startOf,
    dayAt: (x) => {
      const index = Math.floor((x - start) / (dayWidth || 1));
      return periodOf(range.first + Math.min(days - 1, Math.max(0, index)), range).first;
    },
    ticks: (labelWidth) => {
      if (period > 1) {
        const every = MONTH_STEPS.find((months) => months * DAYS_OF_MONTH * dayWidth >= labelWidth);
        return every === undefined ? [] : monthsIn(range, every);
      }
      const every = TICK_STEPS.find((tickStep) => tickStep * step >= labelWidth) ?? days;
      // Counts back from the last day, which always has a label.
      return daysOf(range).filter((day) => (range.last - day) % every === 0);
    },
  };
}

/** Positions of values on the vertical axis, in pixels. */
export interface ValueScale {
  y(value: number): number;
  /** Values with a grid line. */
  readonly ticks: readonly number[];
}

/** Approximate pixels between grid lines. */
const TICK_DISTANCE = 60;
/** Plots lower than this, in pixels, have grid lines only at the ends and in the middle. */
const LOW = 100;

/**
 * Creates a scale that includes `least` and `max`, from `bottom` to `top`, rounded outward to round numbers.
 *
 * @param limit maximum possible value, such as 100 percent
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
