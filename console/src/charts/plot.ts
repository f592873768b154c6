import type { DayRange } from "../days/day-range.js";
import { type DayScale, dayScaleOf } from "./day-scale.js";

/** Where a chart draws, in pixels of its own. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly days: DayScale;
}

/** Room for the names of values, left of the plot. */
const VALUES_WIDTH = 44;
/** Room for the names of days, below the plot. */
const DAYS_HEIGHT = 24;
/** Room for marks of days, above the plot. */
const MARKS_HEIGHT = 18;

/** Divides the area of a chart. */
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
