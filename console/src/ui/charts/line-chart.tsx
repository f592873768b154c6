import { type ReactNode, useMemo } from "react";
import type { ChartDay } from "../../model/figures/chart-day.js";
import { type Series, seriesOf, seriesShare } from "../../model/figures/series.js";
import type { CategoryGroup } from "../../model/numbers/categories.js";
import { formatWholePercent } from "../../model/numbers/format-number.js";
import { ValueAxis } from "./frame/axes.js";
import { ChartFrame, type DayChartProps } from "./frame/chart-frame.js";
import styles from "./line-chart.module.css";
import { linePath, pointsPath } from "./shapes/line-path.js";
import type { Plot } from "./shapes/plot.js";
import { valueScaleOf } from "./shapes/value-scale.js";

/** Series that share a scale in their own panel of the chart. */
export interface Panel {
  readonly title: string;
  /** Height relative to the other panels. */
  readonly weight: number;
  /** Returns true if the category at that index belongs to the panel. */
  readonly has: (index: number) => boolean;
}

/** Shares of categories by day as lines. Days without a denominator are gaps. */
export function LineChart({
  group,
  panels,
  scaleTo,
  ...chart
}: DayChartProps & {
  group: CategoryGroup;
  /**
   * One panel if left out. Each panel has its own scale, which keeps small shares readable beside large ones.
   */
  panels?: readonly Panel[] | undefined;
  /** Rows that the scales must fit, if more than the drawn ones: charts side by side share a scale. */
  scaleTo?: readonly ChartDay[] | undefined;
}): ReactNode {
  const series = useMemo(() => seriesOf(group), [group]);
  return (
    <ChartFrame {...chart} series={series}>
      {(plot, rows) =>
        panelPlots(plot, panels ?? [EVERYTHING]).map(({ panel, plot: part }) => (
          <g key={panel.title}>
            {panel.title !== "" && (
              <text className={styles.panelTitle} x={part.left} y={part.top - 7}>
                {panel.title}
              </text>
            )}
            <Lines
              plot={part}
              rows={rows}
              scaleTo={scaleTo ?? rows}
              series={series.filter((_, index) => panel.has(index))}
            />
          </g>
        ))
      }
    </ChartFrame>
  );
}

const EVERYTHING: Panel = { title: "", weight: 1, has: () => true };
/** Pixels between panels, with room for a title. */
const PANEL_GAP = 34;

function panelPlots(plot: Plot, panels: readonly Panel[]): { panel: Panel; plot: Plot }[] {
  const weights = panels.reduce((sum, { weight }) => sum + weight, 0);
  const height = plot.bottom - plot.top - PANEL_GAP * (panels.length - 1);
  let { top } = plot;
  return panels.map((panel) => {
    const bottom = top + (height * panel.weight) / weights;
    const part = { ...plot, top, bottom };
    top = bottom + PANEL_GAP;
    return { panel, plot: part };
  });
}

function Lines({
  plot,
  rows,
  scaleTo,
  series,
}: {
  plot: Plot;
  rows: readonly ChartDay[];
  scaleTo: readonly ChartDay[];
  series: readonly Series[];
}): ReactNode {
  const most = useMemo(() => Math.max(0, ...series.map((each) => highest(each, scaleTo))), [series, scaleTo]);
  const scale = valueScaleOf(most, plot.top, plot.bottom, 100);
  return (
    <>
      <ValueAxis plot={plot} scale={scale} format={formatWholePercent} />
      {series.map((each) => {
        const points = rows.map(({ day, counts }) => {
          const share = seriesShare(each, counts);
          return { day, y: share === undefined ? undefined : scale.y(share) };
        });
        const { color, mark } = each.look;
        return (
          <g key={each.title}>
            <path
              className={styles.line}
              d={linePath(points, plot.days)}
              style={{ stroke: `var(${color})` }}
            />
            {mark !== "solid" && mark !== "hatched" && (
              <path
                className={styles.point}
                d={pointsPath(points, plot.days, mark)}
                style={{ fill: `var(${color})` }}
              />
            )}
          </g>
        );
      })}
    </>
  );
}

const highest = (series: Series, rows: readonly ChartDay[]): number =>
  rows.reduce((max, { counts }) => Math.max(max, seriesShare(series, counts) ?? 0), 0);
