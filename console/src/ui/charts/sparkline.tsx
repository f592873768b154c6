import type { ReactNode } from "react";
import type { Day } from "../../../../src/model/day.js";
import type { DayShare, ShareSpan } from "../../model/figures/day-shares.js";
import type { DayScale } from "./shapes/day-scale.js";
import { linePath, pointsPath } from "./shapes/line-path.js";
import styles from "./sparkline.module.css";

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
      <path className={styles.line} d={linePath(points, days)} />
      {/* Isolated days, which no line reaches. */}
      <path className={styles.points} d={pointsPath(points.filter(isAlone), days, "circle")} />
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
