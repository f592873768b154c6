import { type ReactNode, useMemo } from "react";
import {
  type ComparedRow,
  commonRange,
  pairSeriesOf,
  pairsOf,
  sumOfPairs,
} from "#console/model/figures/pair.js";
import { ChartCardOf } from "#console/ui/charts/card/chart-card.js";
import { LineChart } from "#console/ui/charts/line-chart.js";
import { chartFileOf } from "#console/ui/files/file-name.js";
import type { Side } from "./side.js";

/** Height of the chart in pixels. */
const HEIGHT = 320;

/** One category of both sides by day, laid over each other. */
export function ComparedChart({
  sides: [left, right],
  category: { key, title, series: category },
}: {
  sides: readonly [Side, Side];
  category: Pick<ComparedRow, "key" | "title" | "series">;
}): ReactNode {
  const [from, to] = [left.selection.range, right.selection.range];
  const range = commonRange(from, to);
  const rows = useMemo(
    () => pairsOf({ range: from, days: left.days }, { range: to, days: right.days }),
    [from, to, left.days, right.days],
  );
  const series = useMemo(
    () => pairSeriesOf(category, { left: left.title, right: right.title }),
    [category, left.title, right.title],
  );
  const named = range === from ? left : right;
  return (
    <ChartCardOf
      title={`${title} by day`}
      lead={
        from === to
          ? "Both labels on one scale."
          : `Laid over each other, first day on first day; the days below are those of ${named.title}.`
      }
      file={chartFileOf(`compared-${key}`, right.selection)}
      range={range}
      rows={rows}
      sum={sumOfPairs}
      series={series}
      height={HEIGHT}
      draw={(chart) => <LineChart {...chart} isFitted />}
    />
  );
}
