import { type ReactNode, useMemo } from "react";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import { isUncertain, type Series, seriesShare } from "#console/model/figures/series.js";
import { wilsonInterval } from "#console/model/numbers/counts.js";
import { formatCompact, formatWholePercent } from "#console/model/numbers/format-number.js";
import { at } from "#src/model/collections.js";
import { ValueAxis } from "./frame/axes.js";
import { ChartFrame, type DayChartProps } from "./frame/chart-frame.js";
import styles from "./line-chart.module.css";
import { type Bar, barsPath, type LinePoint, linePath, pointsPath } from "./shapes/paths.js";
import { type Plot, type ValueScale, valueScaleOf } from "./shapes/scales.js";

/** A part of the chart for several series, with its own scale. */
export interface Panel {
  readonly title: string;
  /** Height relative to the other panels. */
  readonly weight: number;
  /** Returns true if a series belongs to the panel. */
  readonly has: (key: string | undefined) => boolean;
}

/**
 * Series by day as lines, with gaps for days without messages. Uncertain shares are faded, with a bar for their * 95
 * % confidence interval.
 */
export function LineChart<C>({
  panels = [EVERYTHING],
  isFitted = false,
  ...chart
}: DayChartProps<C> & {
  /** If omitted, there is one panel. Separate scales keep small shares readable next to large ones. */
  panels?: readonly Panel[] | undefined;
  /** True to start the scale below the minimum, so that differences are visible. Otherwise, it starts at 0. */
  isFitted?: boolean;
}): ReactNode {
  const { series } = chart;
  const filled = panels.flatMap((panel) => {
    const some = series.filter(({ key }) => panel.has(key));
    return some.length === 0 ? [] : [{ panel, series: some }];
  });
  return (
    <ChartFrame {...chart}>
      {(plot, rows) =>
        panelPlots(
          plot,
          filled.map(({ panel }) => panel),
        ).map((part, index) => {
          const { panel, series } = at(filled, index);
          return (
            <LinePanel
              key={panel.title}
              title={panel.title}
              plot={part}
              rows={rows}
              series={series}
              isFitted={isFitted}
            />
          );
        })
      }
    </ChartFrame>
  );
}

const EVERYTHING: Panel = { title: "", weight: 1, has: () => true };
/** Pixels between panels, with space for a title. */
const PANEL_GAP = 34;

function panelPlots(plot: Plot, panels: readonly Panel[]): Plot[] {
  const weights = panels.reduce((sum, { weight }) => sum + weight, 0);
  const height = plot.bottom - plot.top - PANEL_GAP * (panels.length - 1);
  let { top } = plot;
  return panels.map(({ weight }) => {
    const bottom = top + (height * weight) / weights;
    const part = { ...plot, top, bottom };
    top = bottom + PANEL_GAP;
    return part;
  });
}

function LinePanel<C>({
  title,
  plot,
  rows,
  series,
  isFitted,
}: {
  title: string;
  plot: Plot;
  rows: readonly ChartDay<C>[];
  series: readonly Series<C>[];
  isFitted: boolean;
}): ReactNode {
  const isShare = series.some(({ base }) => base !== undefined);
  const { most, least } = useMemo(() => spanOf(series, rows), [series, rows]);
  const limit = isShare ? 100 : Infinity;
  const scale = valueScaleOf(most, plot.top, plot.bottom, limit, isFitted ? least : 0);
  return (
    <g>
      {title !== "" && (
        <text className={styles.panelTitle} x={plot.left} y={plot.top - 7}>
          {title}
        </text>
      )}
      <ValueAxis plot={plot} scale={scale} format={isShare ? formatWholePercent : formatCompact} />
      {series.map((each) => (
        <Line key={each.title} series={each} rows={rows} plot={plot} scale={scale} />
      ))}
    </g>
  );
}

function Line<C>({
  series,
  rows,
  plot,
  scale,
}: {
  series: Series<C>;
  rows: readonly ChartDay<C>[];
  plot: Plot;
  scale: ValueScale;
}): ReactNode {
  const { days } = plot;
  const points = rows.map(({ day, counts }): LinePoint => {
    const value = amountOf(series, counts);
    return {
      day,
      y: value === undefined ? undefined : scale.y(value),
      isUncertain: isUncertain(series, counts),
    };
  });
  const uncertain = points.map((point) => (point.isUncertain ? point : withoutValue(point)));
  const certain = points.map((point) => (point.isUncertain ? withoutValue(point) : point));
  const { color, mark } = series.look;
  const hasPoints = mark !== "solid" && mark !== "hatched";
  const stroke = { stroke: `var(${color})` };
  const fill = { fill: `var(${color})` };
  return (
    <g>
      {points.some(({ isUncertain }) => isUncertain) && (
        <g className={styles.uncertain} data-uncertain>
          <path className={styles.interval} d={intervals(series, rows, plot, scale)} style={fill} />
          <path className={styles.line} d={linePath(points, days)} style={stroke} />
          {hasPoints && <path className={styles.point} d={pointsPath(uncertain, days, mark)} style={fill} />}
        </g>
      )}
      <path className={styles.line} d={linePath(certain, days)} style={stroke} />
      {hasPoints && <path className={styles.point} d={pointsPath(certain, days, mark)} style={fill} />}
    </g>
  );
}

const withoutValue = ({ day }: LinePoint): LinePoint => ({ day, y: undefined });

/** Returns path data for confidence intervals, clipped to the plot. */
const intervals = <C,>(
  series: Series<C>,
  rows: readonly ChartDay<C>[],
  { days, top, bottom }: Plot,
  scale: ValueScale,
): string =>
  barsPath(
    rows
      .filter(({ counts }) => isUncertain(series, counts))
      .map(({ day, counts }): Bar => {
        const { low, high } = wilsonInterval(series.countOf(counts), series.base?.countOf(counts) ?? 0);
        return { day, top: Math.max(top, scale.y(high)), bottom: Math.min(bottom, scale.y(low)) };
      }),
    days,
    INTERVAL_WIDTH,
  );

/** Interval width relative to a bar. */
const INTERVAL_WIDTH = 0.5;

const amountOf = <C,>(series: Series<C>, counts: C): number | undefined =>
  series.base === undefined ? series.countOf(counts) : seriesShare(series, counts);

/** Returns the maximum and minimum. */
function spanOf<C>(
  series: readonly Series<C>[],
  rows: readonly ChartDay<C>[],
): { readonly most: number; readonly least: number } {
  let [most, least] = [0, Infinity];
  for (const each of series) {
    for (const { counts } of rows) {
      const amount = amountOf(each, counts);
      if (amount === undefined) continue;
      most = Math.max(most, amount);
      least = Math.min(least, amount);
    }
  }
  return { most, least: Math.min(least, most) };
}
