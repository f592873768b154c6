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

/** A chart that both sides have. */
interface SharedChart {
  readonly title: string;
  readonly lead: string;
  readonly name: string;
  readonly series: readonly Series[];
  readonly of?: string;
  /** Draws one side, with a scale that holds the days of both. */
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
    // Everything together is 100 % on either side.
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

/** Pixels. */
const HEIGHT = 260;

/** The charts of both sides next to each other, on equal scales. */
export function ComparedCharts({ sides }: { sides: readonly [Side, Side] }): ReactNode {
  const scaleTo = sides.flatMap(({ days }) => days);
  return CHARTS.map(({ title, name, draw, ...card }) => (
    <div key={name} className="compared-charts">
      {sides.map((side, index) => (
        // What is saved from a card is named by the days of its side.
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
