import type { ReactNode } from "react";
import type { DayShare, ShareSpan } from "#console/model/figures/day-shares.js";
import type { DayScale } from "./shapes/day-scale.js";
import { isAlone, type LinePoint, linePath, pointsPath } from "./shapes/line-path.js";
import styles from "./sparkline.module.css";

/** A line without axes, pale where few messages make shares uncertain. The caller must label it. */
export function Sparkline({
  shares,
  days,
  span: { least, most },
  top,
  bottom,
}: {
  /** Of each day or, in a long range, of each week. */
  shares: readonly DayShare[];
  days: DayScale;
  span: ShareSpan;
  /** Positions of the highest and lowest share, in pixels. */
  top: number;
  bottom: number;
}): ReactNode {
  const points = shares.map(({ day, share, isUncertain }) => ({
    day,
    y: share === undefined ? undefined : bottom - ((share - least) / (most - least || 1)) * (bottom - top),
    isUncertain,
  }));
  // Isolated days, which no line reaches.
  const alone = points.filter((_, index) => isAlone(points, index, days));
  return (
    <>
      {points.some(({ isUncertain }) => isUncertain) && (
        <path className={styles.pale} d={linePath(points, days)} />
      )}
      <path className={styles.line} d={linePath(points.map(certainOf), days)} />
      <path className={styles.points} d={pointsPath(alone, days, "circle")} />
    </>
  );
}

/** The point, without its value if that is uncertain. */
const certainOf = ({ day, y, isUncertain }: LinePoint): LinePoint => ({
  day,
  y: isUncertain ? undefined : y,
});
