import type { ReactNode } from "react";
import type { Day } from "../../../src/model/day.js";
import type { DayScale } from "./day-scale.js";
import { linePath, pointsPath } from "./line-path.js";

/** The share of a day in percent; undefined if the denominator is 0. */
export interface DayShare {
  readonly day: Day;
  readonly share: number | undefined;
}

/** Range of shares, in percent, that several small charts have in common. */
export interface ShareSpan {
  readonly least: number;
  readonly most: number;
}

/** A line without axes. The caller must label it. */
export function Sparkline({
  shares,
  days,
  span: { least, most },
  top,
  bottom,
}: {
  shares: readonly DayShare[];
  days: DayScale;
  span: ShareSpan;
  /** Positions of the highest and lowest share, in pixels. */
  top: number;
  bottom: number;
}): ReactNode {
  const points = shares.map(({ day, share }) => ({
    day,
    y: share === undefined ? undefined : bottom - ((share - least) / (most - least || 1)) * (bottom - top),
  }));
  return (
    <>
      <path className="sparkline" d={linePath(points, days)} />
      {/* Isolated days, which no line reaches. */}
      <path className="sparkline-points" d={pointsPath(points.filter(isAlone), days, "circle")} />
    </>
  );
}

const isAlone = <P extends { day: Day; y: number | undefined }>(
  point: P,
  index: number,
  points: readonly P[],
): boolean =>
  point.y !== undefined &&
  !follows(points[index - 1], point.day - 1) &&
  !follows(points[index + 1], point.day + 1);

const follows = (point: { day: Day; y: number | undefined } | undefined, day: Day): boolean =>
  point?.day === day && point.y !== undefined;

/** A span of whole tens up to 100 % that fits all shares. */
export function shareSpanOf(shares: Iterable<number | undefined>): ShareSpan {
  let least = 90;
  for (const share of shares) if (share !== undefined) least = Math.min(least, share);
  return { least: Math.floor(least / 10) * 10, most: 100 };
}
