import { type ReactNode, type RefObject, useId, useRef, useState } from "react";
import type { ChartDay, DayMark } from "./chart-day.js";
import { totalOf } from "./chart-day.js";
import { ChartTable } from "./chart-table.js";
import { Legend } from "./legend.js";
import type { Series } from "./series.js";

/** A chart with its title, its legend, its numbers as a table, and what can be done with it. */
export function ChartCard({
  title,
  lead,
  name,
  rows,
  series,
  of,
  marks,
  height,
  chart,
}: {
  title: string;
  /** What is shown, in a sentence. */
  lead: string;
  /** What files that are saved from it are called. */
  name: string;
  /** Those of the range. */
  rows: readonly ChartDay[];
  series: readonly Series[];
  /** What shares are of, in words. */
  of?: string | undefined;
  marks?: readonly DayMark[] | undefined;
  /** Of the chart, in pixels. */
  height: number;
  chart: (svg: RefObject<SVGSVGElement | null>) => ReactNode;
}): ReactNode {
  const [asTable, setAsTable] = useState(false);
  const svg = useRef<SVGSVGElement>(null);
  const id = useId();
  return (
    <section className="card chart-card" aria-labelledby={id} data-chart={name}>
      <header>
        <h2 id={id}>{title}</h2>
        <p className="soft">{lead} Days in Los Angeles time.</p>
      </header>
      <div className="chart-card-body">
        <figure aria-labelledby={id}>
          {asTable ? (
            <ChartTable title={title} rows={rows} series={series} marks={marks} height={height} />
          ) : (
            chart(svg)
          )}
        </figure>
        <Legend series={series} total={totalOf(rows)} of={of} />
      </div>
      <footer className="chart-card-actions">
        <button type="button" className="button-plain" onClick={() => setAsTable(!asTable)}>
          {asTable ? "Show as chart" : "Show as table"}
          <span className="visually-hidden">: {title}</span>
        </button>
      </footer>
    </section>
  );
}
