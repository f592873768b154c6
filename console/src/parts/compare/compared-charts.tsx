import type { ReactNode } from "react";
import type { DayRange } from "../../model/days/day-range.js";
import type { ChartDay } from "../../model/figures/chart-day.js";
import { ACCEPTED, type Series, seriesOf } from "../../model/figures/series.js";
import { OUTCOMES, PERFORMANCE } from "../../model/numbers/categories.js";
import { type CardChartProps, ChartCard } from "../../ui/charts/card/chart-card.js";
import { chartFileOf } from "../../ui/charts/card/chart-file.js";
import { CountChart } from "../../ui/charts/count-chart.js";
import { LineChart } from "../../ui/charts/line-chart.js";
import { StackedChart } from "../../ui/charts/stacked-chart.js";
import styles from "./compared-charts.module.css";
import type { Side } from "./side.js";

/** A chart shown for both sides. */
interface SharedChart {
  readonly title: string;
  readonly lead: string;
  readonly name: string;
  readonly series: readonly Series[];
  readonly of?: string;
  /** Draws one side on a scale that fits the days of both. */
  readonly draw: (
    chart: CardChartProps & { readonly range: DayRange; readonly scaleTo: readonly ChartDay[] },
  ) => ReactNode;
}

const CHARTS: readonly SharedChart[] = [
  {
    title: OUTCOMES.title,
    lead: "What became of the accepted messages, in percent of them.",
    name: "outcomes",
    series: seriesOf(OUTCOMES),
    of: OUTCOMES.of,
    // Ignores `scaleTo`: stacked shares always end at 100 %.
    draw: ({ scaleTo: _, ...chart }) => <StackedChart {...chart} group={OUTCOMES} />,
  },
  {
    title: PERFORMANCE.title,
    lead: "In percent of accepted messages, both sides on one scale.",
    name: "performance",
    series: seriesOf(PERFORMANCE),
    of: PERFORMANCE.of,
    draw: (chart) => <LineChart {...chart} group={PERFORMANCE} />,
  },
  {
    title: "Accepted by day",
    lead: "How many messages were accepted, both sides on one scale.",
    name: "accepted",
    series: ACCEPTED,
    draw: (chart) => <CountChart {...chart} />,
  },
];

/** Height of each chart in pixels. */
const HEIGHT = 260;

/** The charts of both sides next to each other, on common scales. */
export function ComparedCharts({ sides }: { sides: readonly [Side, Side] }): ReactNode {
  const scaleTo = sides.flatMap(({ days }) => days);
  return CHARTS.map(({ title, name, draw, ...card }) => (
    <div key={name} className={styles.pair}>
      {sides.map((side, index) => (
        <ChartCard
          {...card}
          key={index === 0 ? "left" : "right"}
          title={`${title}: ${side.title}`}
          file={chartFileOf(`${name}-${index === 0 ? "left" : "right"}`, side.selection)}
          rows={side.days}
          height={HEIGHT}
          draw={(chart) => draw({ ...chart, range: side.selection.range, scaleTo })}
        />
      ))}
    </div>
  ));
}
