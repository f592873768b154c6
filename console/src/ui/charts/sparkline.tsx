import { memo, type ReactNode } from "react";
import {
  type ChartDay,
  type DayShare,
  deliveredShares,
  type ShareSpan,
} from "#console/model/figures/chart-day.js";
import { isIsolated, type LinePoint, linePath, pointsPath } from "./shapes/paths.js";
import type { DayScale } from "./shapes/scales.js";
import styles from "./sparkline.module.css";

/** A line without axes, faded where shares are uncertain. The caller must label it. */
export function Sparkline({
  shares,
  days,
  span: { least, most },
  top,
  bottom,
}: {
  /** One per day or, in a long range, per week. */
  shares: readonly DayShare[];
  days: DayScale;
  span: ShareSpan;
  /** Positions of `span.most` and `span.least`, in pixels. */
  top: number;
  bottom: number;
}): ReactNode {
  const points = shares.map(({ day, share, isUncertain }) => ({
    day,
    y: share === undefined ? undefined : bottom - ((share - least) / (most - least || 1)) * (bottom - top),
    isUncertain,
  }));
  // No line connects isolated days.
  const isolated = points.filter((_, index) => isIsolated(points, index, days));
  return (
    <>
      {points.some(({ isUncertain }) => isUncertain) && (
        <path className={styles.pale} d={linePath(points, days)} />
      )}
      <path className={styles.line} d={linePath(points.map(certainOf), days)} />
      <path className={styles.points} d={pointsPath(isolated, days, "circle")} />
    </>
  );
}

/** Removes an uncertain value. */
const certainOf = ({ day, y, isUncertain }: LinePoint): LinePoint => ({
  day,
  y: isUncertain ? undefined : y,
});

/** Width in a table cell, in pixels. */
export const TREND_WIDTH = 112;
const TREND_HEIGHT = 28;
/** Space for points at the edges, in pixels. */
const MARGIN = 3;

/** The delivered share by day, in a table cell. Other charts show the same data with axes. */
export const Trend = memo(function Trend({
  days,
  scale,
  span,
}: {
  /** Undefined while loading. */
  days: readonly ChartDay[] | undefined;
  scale: DayScale;
  span: ShareSpan;
}): ReactNode {
  return (
    <svg
      className={styles.trend}
      width={TREND_WIDTH}
      height={TREND_HEIGHT}
      viewBox={`0 0 ${TREND_WIDTH} ${TREND_HEIGHT}`}
      aria-hidden="true"
    >
      {days && (
        <Sparkline
          shares={deliveredShares(days)}
          days={scale}
          span={span}
          top={MARGIN}
          bottom={TREND_HEIGHT - MARGIN}
        />
      )}
    </svg>
  );
});
