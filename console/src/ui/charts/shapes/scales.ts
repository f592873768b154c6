import { scaleLinear } from "@visx/scale";
import { type DayRange, daysIn, daysOf } from "#console/model/days/day-range.js";
import { monthsIn, periodLength, periodOf } from "#console/model/days/period.js";
import type { Day } from "#src/model/day.js";

/** Bounds of the plot within its chart, in pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly days: DayScale;
}

/** Width of the value labels left of the plot, in pixels. */
const VALUES_WIDTH = 44;
/** Height of the day labels below the plot, in pixels. */
const DAYS_HEIGHT = 24;
/** Height of the day marks above the plot, in pixels. */
const MARKS_HEIGHT = 18;

/** Divides the area of a chart into axes and plot. */
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

/**
 * Positions of days on the horizontal axis of a chart, in pixels. A chart of a long range has one bar for each week,
 * where each of its days is.
 */
export interface DayScale {
  readonly range: DayRange;
  /** Most days of a bar: 1 or, in a long range, 7. */
  readonly period: 1 | 7;
  /** Width of a whole period, with the gap beside its bar. */
  readonly step: number;
  /** The days that share the bar of a day. */
  periodOf(day: Day): DayRange;
  /** Width of the bar of a day; weeks that the range cuts are narrower. */
  width(day: Day): number;
  /** Left edge of the bar of a day. */
  left(day: Day): number;
  /** Center of the bar of a day. */
  center(day: Day): number;
  /** The beginning of a day itself. */
  start(day: Day): number;
  /** The first day of the bar at a position, or of the nearest one. */
  dayAt(x: number): Day;
  /** Days to label on the axis, at least `labelWidth` pixels apart; in a long range, first days of months. */
  ticks(labelWidth: number): readonly Day[];
}

/** Steps between labelled days, mostly whole weeks. */
const TICK_STEPS = [1, 2, 7, 14, 28, 56, 91, 182] as const;
/** Steps between labelled months. */
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600] as const;
/** Least days of a month. */
const DAYS_OF_MONTH = 28;
/** Least width in pixels at which a bar has a gap beside it. */
const MIN_GAPPED = 3;
const GAP_SHARE = 0.18;

/** Spreads the days of a range over the pixels from `start` to `end`. */
export function dayScaleOf(range: DayRange, start: number, end: number): DayScale {
  const days = daysIn(range);
  const dayWidth = Math.max(0, end - start) / days;
  const period = periodLength(range);
  const step = period * dayWidth;
  const gap = step < MIN_GAPPED ? 0 : Math.max(1, step * GAP_SHARE);
  const startOf = (day: Day): number => start + (day - range.first) * dayWidth;
  const width = (day: Day): number => {
    const whole = daysIn(periodOf(day, range)) * dayWidth;
    // A week of one or two days keeps a bar.
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
