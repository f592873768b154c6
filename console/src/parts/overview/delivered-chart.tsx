import type { ReactNode } from "react";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import { deliveredShares, shareSpanOf } from "#console/model/figures/day-shares.js";
import type { Series } from "#console/model/figures/series.js";
import type { BandOfDays } from "#console/model/figures/usual-band.js";
import { formatWholePercent } from "#console/model/numbers/format-number.js";
import { ValueAxis } from "#console/ui/charts/frame/axes.js";
import { ChartFrame, type DayChartProps } from "#console/ui/charts/frame/chart-frame.js";
import { linePath, pointsPath } from "#console/ui/charts/shapes/line-path.js";
import type { Plot } from "#console/ui/charts/shapes/plot.js";
import { valueScaleOf } from "#console/ui/charts/shapes/value-scale.js";
import styles from "./delivered-chart.module.css";

/** The delivered share by day over its usual band. The scale begins below the least of both. */
export function DeliveredChart({
  bands,
  series,
  ...chart
}: DayChartProps & {
  bands: readonly BandOfDays[];
  /** Series that the cursor reads. */
  series: readonly Series[];
}): ReactNode {
  return (
    <ChartFrame {...chart} series={series}>
      {(plot, rows) => <Line plot={plot} rows={rows} bands={bands} />}
    </ChartFrame>
  );
}

function Line({
  plot,
  rows,
  bands,
}: {
  plot: Plot;
  rows: readonly ChartDay[];
  bands: readonly BandOfDays[];
}): ReactNode {
  const { days, top, bottom } = plot;
  const shares = deliveredShares(rows);
  const { least, most } = shareSpanOf([...shares.map(({ share }) => share), ...bands.map(({ low }) => low)]);
  const scale = valueScaleOf(most, top, bottom, most, least);
  const points = shares.map(({ day, share }) => ({
    day,
    y: share === undefined ? undefined : scale.y(share),
  }));
  return (
    <>
      {bands.map(({ range: { first, last }, low, high }) => (
        <rect
          key={first}
          className={styles.band}
          x={days.start(first)}
          width={days.start(last + 1) - days.start(first)}
          y={scale.y(high)}
          height={scale.y(low) - scale.y(high)}
        />
      ))}
      <ValueAxis plot={plot} scale={scale} format={formatWholePercent} />
      <path className={styles.line} d={linePath(points, days)} />
      <path className={styles.points} d={pointsPath(points, days, "circle")} />
    </>
  );
}
