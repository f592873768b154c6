import { type ReactNode, useId, useMemo } from "react";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import { certaintyOf, type Series, seriesShare } from "#console/model/figures/series.js";
import { formatCompact, formatWholePercent } from "#console/model/numbers/format-number.js";
import { at } from "#src/model/collections.js";
import { ValueAxis } from "./frame/axes.js";
import { ChartFrame, type DayChartProps } from "./frame/chart-frame.js";
import { type Bar, barsPath } from "./shapes/paths.js";
import { type Plot, type ValueScale, valueScaleOf } from "./shapes/scales.js";
import { Hatching } from "./shapes/swatch.js";

/**
 * Exclusive categories by day, stacked, with the first series at the bottom. Shares of fewer messages are more
 * faded. All categories and unaccounted messages add up to 100 %.
 */
export function StackedChart<C>({
  asCounts = false,
  hasSegments = false,
  ...chart
}: DayChartProps<C> & {
  /** True for counts instead of shares. */
  asCounts?: boolean;
  /** True if each segment can be opened. */
  hasSegments?: boolean;
}): ReactNode {
  const { series } = chart;
  // The tooltip lists categories from top to bottom, like the stack.
  const topDown = useMemo(() => [...series].reverse(), [series]);
  return (
    <ChartFrame {...chart} series={topDown} hasSegments={hasSegments}>
      {(plot, rows) => <Stack plot={plot} rows={rows} series={series} asCounts={asCounts} />}
    </ChartFrame>
  );
}

function Stack<C>({
  plot,
  rows,
  series,
  asCounts,
}: {
  plot: Plot;
  rows: readonly ChartDay<C>[];
  series: readonly Series<C>[];
  asCounts: boolean;
}): ReactNode {
  const id = useId();
  const { scale, paths } = useMemo(() => {
    const values = rows.map(({ counts }) =>
      series.map((each) => (asCounts ? each.countOf(counts) : (seriesShare(each, counts) ?? 0))),
    );
    const most = Math.max(0, ...values.map((stack) => stack.reduce((sum, value) => sum + value, 0)));
    const scale = valueScaleOf(most, plot.top, plot.bottom, asCounts ? Infinity : 100);
    return { scale, paths: stackPaths(series, rows, values, plot, scale, asCounts) };
  }, [series, rows, plot, asCounts]);
  return (
    <>
      <ValueAxis plot={plot} scale={scale} format={asCounts ? formatCompact : formatWholePercent} />
      {series.map(({ key, title, look: { color, mark } }, index) => {
        const style = { fill: mark === "hatched" ? `url(#${id})` : `var(${color})` };
        return (
          <g key={title} data-segment={key}>
            {mark === "hatched" && <Hatching id={id} color={color} />}
            {paths[index]?.map((path, level) => (
              <path
                key={OPACITIES[level]}
                data-uncertain={path !== "" && level < CERTAIN ? "" : undefined}
                d={path}
                style={{ ...style, fillOpacity: OPACITIES[level] }}
              />
            ))}
          </g>
        );
      })}
    </>
  );
}

/** Maximum gap between segments in pixels. Small segments have a smaller gap. */
const GAP = 1;

/** Bar opacities, from the least to the most certain shares. */
const OPACITIES = [0.35, 0.5, 0.65, 0.8, 1] as const;
const CERTAIN = OPACITIES.length - 1;

/** Returns path data for each series and each of the {@link OPACITIES}. */
function stackPaths<C>(
  series: readonly Series<C>[],
  rows: readonly ChartDay<C>[],
  values: readonly (readonly number[])[],
  { bottom, days }: Plot,
  scale: ValueScale,
  asCounts: boolean,
): string[][] {
  const heights = rows.map(() => 0);
  return series.map((each, place) => {
    const bars = OPACITIES.map((): Bar[] => []);
    rows.forEach(({ day, counts }, index) => {
      const from = at(heights, index);
      const height = bottom - scale.y(at(at(values, index), place));
      heights[index] = from + height;
      const gap = from > 0 ? Math.min(GAP, height / 2) : 0;
      const level = asCounts ? CERTAIN : Math.floor(CERTAIN * certaintyOf(each, counts));
      bars[level]?.push({ day, top: bottom - from - height, bottom: bottom - from - gap });
    });
    return bars.map((some) => barsPath(some, days));
  });
}
