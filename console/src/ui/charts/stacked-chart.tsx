import { type ReactNode, useId, useMemo } from "react";
import type { ChartDay } from "../../model/figures/chart-day.js";
import { type Series, seriesOf, seriesShare } from "../../model/figures/series.js";
import type { CategoryGroup } from "../../model/numbers/categories.js";
import { formatWholePercent } from "../../model/numbers/format-number.js";
import { ValueAxis } from "./frame/axes.js";
import { ChartFrame, type DayChartProps } from "./frame/chart-frame.js";
import { type Bar, barsPath } from "./shapes/bars.js";
import { Hatching } from "./shapes/hatching.js";
import type { Plot } from "./shapes/plot.js";
import { valueScaleOf } from "./shapes/value-scale.js";

/** Stacked shares of exclusive categories by day. With the unaccounted messages they add up to 100 %. */
export function StackedChart({ group, ...chart }: DayChartProps & { group: CategoryGroup }): ReactNode {
  const series = useMemo(() => seriesOf(group), [group]);
  return (
    <ChartFrame {...chart} series={series}>
      {(plot, rows) => <Stack plot={plot} rows={rows} series={series} />}
    </ChartFrame>
  );
}

function Stack({
  plot,
  rows,
  series,
}: {
  plot: Plot;
  rows: readonly ChartDay[];
  series: readonly Series[];
}): ReactNode {
  const id = useId();
  const scale = valueScaleOf(100, plot.top, plot.bottom, 100);
  const paths = useMemo(() => stackPaths(series, rows, plot), [series, rows, plot]);
  return (
    <>
      <ValueAxis plot={plot} scale={scale} format={formatWholePercent} />
      {series.map(({ title, look: { color, mark } }, index) => (
        <g key={title}>
          {mark === "hatched" && <Hatching id={id} color={color} />}
          <path d={paths[index]} style={{ fill: mark === "hatched" ? `url(#${id})` : `var(${color})` }} />
        </g>
      ))}
    </>
  );
}

/** Most pixels between stacked bars; low bars have a smaller gap. */
const GAP = 1;

/** Path data of each series. */
function stackPaths(
  series: readonly Series[],
  rows: readonly ChartDay[],
  { top, bottom, days }: Plot,
): string[] {
  const heights = rows.map(() => 0);
  return series.map((each) => {
    const bars = rows.map(({ day, counts }, index): Bar => {
      const from = heights[index] ?? 0;
      const height = ((bottom - top) * (seriesShare(each, counts) ?? 0)) / 100;
      heights[index] = from + height;
      const gap = from > 0 ? Math.min(GAP, height / 2) : 0;
      return { day, top: bottom - from - height, bottom: bottom - from - gap };
    });
    return barsPath(bars, days);
  });
}
