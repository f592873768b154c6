import { line } from "@visx/shape";
import type { PointShape } from "#console/model/figures/series.js";
import type { Day } from "#src/model/day.js";
import type { DayScale } from "./scales.js";

/** A value for a day, or for the week that starts on it. `y` is undefined without a value. */
export interface LinePoint {
  readonly day: Day;
  readonly y: number | undefined;
  /** True for an uncertain value, which is faded. */
  readonly isUncertain?: boolean | undefined;
}

/** Minimum distance between points in pixels. */
const POINT_DISTANCE = 14;

/** Returns path data for a line with gaps at days or weeks without a value. */
export function linePath(points: readonly LinePoint[], days: DayScale): string {
  const draw = line<LinePoint>({
    x: ({ day }) => days.center(day),
    y: ({ y = 0 }) => y,
    defined: ({ y }) => y !== undefined,
  });
  return draw(withGaps(points, days)) ?? "";
}

/** Returns path data for points: as many as fit, and one on every isolated day. */
export function pointsPath(points: readonly LinePoint[], days: DayScale, shape: PointShape): string {
  const every = Math.max(1, Math.ceil(POINT_DISTANCE / (days.step || 1)));
  return points
    .map((point, index) => {
      if (point.y === undefined) return "";
      const isInStep = Math.floor((days.range.last - point.day) / days.period) % every === 0;
      return isInStep || isIsolated(points, index, days)
        ? pointPath(shape, days.center(point.day), point.y)
        : "";
    })
    .join("");
}

/** Returns true for a value without neighbors, which no line connects. */
export const isIsolated = (points: readonly LinePoint[], index: number, days: DayScale): boolean =>
  points[index]?.y !== undefined &&
  !areConnected(points[index - 1], points[index], days) &&
  !areConnected(points[index], points[index + 1], days);

const areConnected = (a: LinePoint | undefined, b: LinePoint | undefined, days: DayScale): boolean =>
  a?.y !== undefined && b?.y !== undefined && areNext(a, b, days);

const areNext = (a: LinePoint, b: LinePoint, days: DayScale): boolean =>
  days.periodOf(a.day).last + 1 === days.periodOf(b.day).first;

/** Inserts a point without a value where days or weeks are missing. */
const withGaps = (points: readonly LinePoint[], days: DayScale): LinePoint[] =>
  points.flatMap((point, index) => {
    const previous = points[index - 1];
    const isGap = previous !== undefined && !areNext(previous, point, days);
    return isGap ? [{ day: previous.day, y: undefined }, point] : [point];
  });

const PATHS: Readonly<Record<PointShape, string>> = {
  circle: "m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z",
  square: "m-2.7,-2.7h5.4v5.4h-5.4z",
  triangle: "m0,-3.6l3.6,6.2h-7.2z",
  diamond: "m0,-4l4,4l-4,4l-4,-4z",
  cross: "m-1.2,-3.6h2.4v2.4h2.4v2.4h-2.4v2.4h-2.4v-2.4h-2.4v-2.4h2.4z",
};

export const pointPath = (shape: PointShape, x: number, y: number): string =>
  `M${x.toFixed(1)},${y.toFixed(1)}${PATHS[shape]}`;

/** A bar for a day, or for the week that starts on it. `top` and `bottom` are in pixels. */
export interface Bar {
  readonly day: Day;
  readonly top: number;
  readonly bottom: number;
}

/** Returns path data for all bars of a series, for a single SVG element. */
export function barsPath(bars: Iterable<Bar>, days: DayScale, widthShare = 1): string {
  let path = "";
  for (const { day, top, bottom } of bars) {
    if (bottom <= top) continue;
    const whole = days.width(day);
    const width = whole * widthShare;
    const inset = (whole - width) / 2;
    path += `M${(days.left(day) + inset).toFixed(2)},${top.toFixed(2)}h${width.toFixed(2)}V${bottom.toFixed(2)}h${(-width).toFixed(2)}z`;
  }
  return path;
}
