import { memo, type ReactNode } from "react";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import { deliveredShares, type ShareSpan } from "#console/model/figures/day-shares.js";
import type { DayScale } from "./shapes/day-scale.js";
import { Sparkline } from "./sparkline.js";
import styles from "./trend.module.css";

/** Width of the trend in a table cell, in pixels. */
export const TREND_WIDTH = 112;
const TREND_HEIGHT = 28;
/** Keeps the line and its points within the drawing, in pixels. */
const MARGIN = 3;

/** The delivered share by day, in a table cell. Other charts show the same data with axes and words. */
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
    <svg className={styles.trend} width={TREND_WIDTH} height={TREND_HEIGHT} aria-hidden="true">
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
