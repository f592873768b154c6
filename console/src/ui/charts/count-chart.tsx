import type { ReactNode } from "react";
import { type ChartDay, isIncomplete } from "#console/model/figures/chart-day.js";
import type { Series } from "#console/model/figures/series.js";
import { formatCompact } from "#console/model/numbers/format-number.js";
import styles from "./count-chart.module.css";
import { ValueAxis } from "./frame/axes.js";
import { ChartFrame, type DayChartProps } from "./frame/chart-frame.js";
import { barsPath } from "./shapes/paths.js";
import { type Plot, valueScaleOf } from "./shapes/scales.js";

/**
 * Accepted messages by day and, within each bar, notifications. Incomplete weeks are faded, because their totals are
 * not comparable.
 */
export function CountChart(chart: DayChartProps): ReactNode {
  return (
    <ChartFrame {...chart}>
      {(plot, rows) => <Bars plot={plot} rows={rows} series={chart.series} />}
    </ChartFrame>
  );
}

function Bars({
  plot,
  rows,
  series,
}: {
  plot: Plot;
  rows: readonly ChartDay[];
  series: readonly Series[];
}): ReactNode {
  const most = rows.reduce(
    (max, { counts }) => Math.max(max, ...series.map(({ countOf }) => countOf(counts))),
    0,
  );
  const scale = valueScaleOf(most, plot.top, plot.bottom);
  const whole = rows.filter((row) => !isIncomplete(row));
  const incomplete = rows.filter(isIncomplete);
  return (
    <>
      <ValueAxis plot={plot} scale={scale} format={formatCompact} />
      {series.map((each, index) => {
        const widthShare = widthOf(index, plot.days.step);
        const style = { fill: `var(${each.look.color})` };
        return (
          <g key={each.title}>
            <path d={pathOf(each, whole, plot, scale.y, widthShare)} style={style} />
            <path
              className={styles.incomplete}
              d={pathOf(each, incomplete, plot, scale.y, widthShare)}
              style={style}
            />
          </g>
        );
      })}
    </>
  );
}

/** Draws notifications at half width within messages, or at full width if bars are too narrow. */
const widthOf = (index: number, step: number): number => (index === 0 || step < MIN_PARTED ? 1 : 0.5);
const MIN_PARTED = 5;

const pathOf = (
  { countOf }: Series,
  rows: readonly ChartDay[],
  { days, bottom }: Plot,
  y: (value: number) => number,
  widthShare: number,
): string =>
  barsPath(
    rows.map(({ day, counts }) => ({ day, top: y(countOf(counts)), bottom })),
    days,
    widthShare,
  );
