import type { ReactNode } from "react";
import type { ChartDay } from "../../model/figures/chart-day.js";
import { ACCEPTED, type Series } from "../../model/figures/series.js";
import { formatCompact } from "../../model/numbers/format-number.js";
import { ValueAxis } from "./frame/axes.js";
import { ChartFrame, type DayChartProps } from "./frame/chart-frame.js";
import { barsPath } from "./shapes/bars.js";
import type { Plot } from "./shapes/plot.js";
import { valueScaleOf } from "./shapes/value-scale.js";

/** Accepted messages by day and, within each bar, those that carry a notification. */
export function CountChart({
  scaleTo,
  ...chart
}: DayChartProps & {
  /** Rows that the scale must fit, if more than the drawn ones: charts side by side share a scale. */
  scaleTo?: readonly ChartDay[] | undefined;
}): ReactNode {
  return (
    <ChartFrame {...chart} series={ACCEPTED}>
      {(plot, rows) => <Bars plot={plot} rows={rows} scaleTo={scaleTo ?? rows} />}
    </ChartFrame>
  );
}

function Bars({
  plot,
  rows,
  scaleTo,
}: {
  plot: Plot;
  rows: readonly ChartDay[];
  scaleTo: readonly ChartDay[];
}): ReactNode {
  const most = scaleTo.reduce((max, row) => Math.max(max, countOf(row)), 0);
  const scale = valueScaleOf(most, plot.top, plot.bottom);
  return (
    <>
      <ValueAxis plot={plot} scale={scale} format={formatCompact} />
      {ACCEPTED.map((series, index) => (
        <path
          key={series.title}
          d={pathOf(series, rows, plot, scale.y, widthOf(index, plot.days.bar))}
          style={{ fill: `var(${series.look.color})` }}
        />
      ))}
    </>
  );
}

/** Draws notifications at half width within their messages, or at full width where bars are too narrow. */
const widthOf = (index: number, bar: number): number => (index === 0 || bar < MIN_PARTED ? 1 : 0.5);
const MIN_PARTED = 4;

const countOf = ({ counts: { countMessagesAccepted = 0 } }: ChartDay): number => countMessagesAccepted;

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
