import type { ReactNode } from "react";
import { type CardChartProps, ChartCard } from "../../charts/chart-card.js";
import type { ChartDay } from "../../charts/chart-day.js";
import { CountChart } from "../../charts/count-chart.js";
import { LineChart } from "../../charts/line-chart.js";
import { ACCEPTED, type Series, seriesOf } from "../../charts/series.js";
import { StackedChart } from "../../charts/stacked-chart.js";
import type { DayRange } from "../../days/day-range.js";
import { OUTCOMES, PERFORMANCE } from "../../numbers/categories.js";
import { SelectionContext } from "../selection.js";
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
    <div key={name} className="compared-charts">
      {sides.map((side, index) => (
        // Names files saved from a card after the days of its side.
        <SelectionContext key={index === 0 ? "left" : "right"} value={side.selection}>
          <ChartCard
            {...card}
            title={`${title}: ${side.title}`}
            name={`${name}-${index === 0 ? "left" : "right"}`}
            rows={side.days}
            height={HEIGHT}
            draw={(chart) => draw({ ...chart, range: side.selection.range, scaleTo })}
          />
        </SelectionContext>
      ))}
    </div>
  ));
}
