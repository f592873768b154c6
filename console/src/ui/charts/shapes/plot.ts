import type { DayRange } from "#console/model/days/day-range.js";
import { type DayScale, dayScaleOf } from "./day-scale.js";

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
