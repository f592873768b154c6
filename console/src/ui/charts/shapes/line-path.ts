import { line } from "@visx/shape";
import type { Day } from "../../../../../src/model/day.js";
import type { PointShape } from "../../../model/figures/series.js";
import type { DayScale } from "./day-scale.js";
import { pointPath } from "./point-path.js";

/** The value of a day; `y` is undefined if the day has none. */
export interface LinePoint {
  readonly day: Day;
  readonly y: number | undefined;
}

/** Least pixels between points. */
const POINT_DISTANCE = 14;

/** Path data of a line that breaks where a day has no value. */
export function linePath(points: readonly LinePoint[], days: DayScale): string {
  const draw = line<LinePoint>({
    x: ({ day }) => days.center(day),
    y: ({ y = 0 }) => y,
    defined: ({ y }) => y !== undefined,
  });
  return draw(withGaps(points)) ?? "";
}

/** Path data of points: as many as fit, and one on every isolated day. */
export function pointsPath(points: readonly LinePoint[], days: DayScale, shape: PointShape): string {
  const every = Math.max(1, Math.ceil(POINT_DISTANCE / (days.step || 1)));
  return points
    .map(({ day, y }, index) => {
      if (y === undefined) return "";
      const isAlone = !isNext(points[index - 1], day - 1) && !isNext(points[index + 1], day + 1);
      return isAlone || (days.range.last - day) % every === 0 ? pointPath(shape, days.center(day), y) : "";
    })
    .join("");
}

const isNext = (point: LinePoint | undefined, day: Day): boolean =>
  point?.day === day && point.y !== undefined;

/** Inserts a point without a value wherever days are missing. */
const withGaps = (points: readonly LinePoint[]): LinePoint[] =>
  points.flatMap((point, index) => {
    const previous = points[index - 1];
    const isGap = previous !== undefined && previous.day < point.day - 1;
    return isGap ? [{ day: point.day - 1, y: undefined }, point] : [point];
  });
