import { type ReactNode, useMemo } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { type ChartDay, rowsByPeriod, totalOf } from "#console/model/figures/chart-day.js";
import type { KeyFigure } from "#console/model/figures/key-figures.js";
import { useWidth } from "#console/ui/charts/frame/drawing.js";
import { dayScaleOf } from "#console/ui/charts/shapes/day-scale.js";
import { Sparkline } from "#console/ui/charts/sparkline.js";
import styles from "./figure-trend.module.css";

/** Sizes in pixels. */
const HEIGHT = 28;
const MARGIN = 3;
/** Least height of the scale of a share, in percentage points: chance looks small. */
const MIN_POINTS = 10;

/** A key figure by day, without axes. The charts below have the numbers. */
export function FigureTrend({
  figure: { of, valueIn },
  range,
  rows,
}: {
  figure: KeyFigure;
  range: DayRange;
  /** Undefined while loading. */
  rows: readonly ChartDay[] | undefined;
}): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>();
  const days = useMemo(() => dayScaleOf(range, MARGIN, Math.max(MARGIN, width - MARGIN)), [range, width]);
  const values = rowsByPeriod(rows ?? [], range, totalOf).map(({ day, counts }) => ({
    day,
    share: valueIn(counts),
  }));
  const known = values.flatMap(({ share }) => share ?? []);
  const most = Math.max(0, ...known);
  const least = of === undefined ? 0 : Math.max(0, Math.min(...known, most - MIN_POINTS));
  return (
    <div ref={box} className={styles.trend}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <Sparkline
          shares={values}
          days={days}
          span={{ least, most: of === undefined ? most : Math.max(most, least + MIN_POINTS) }}
          top={MARGIN}
          bottom={HEIGHT - MARGIN}
        />
      </svg>
    </div>
  );
}
