import { type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { type ChartDay, type DayMark, totalOf } from "../../../model/figures/chart-day.js";
import type { Series } from "../../../model/figures/series.js";
import { formatPercent } from "../../../model/numbers/format-number.js";
import { Button } from "../../elements/button.js";
import { Card } from "../../elements/card.js";
import { Skeleton } from "../../states/skeleton.js";
import type { DayChartProps } from "../frame/chart-frame.js";
import { ChartActions } from "./chart-actions.js";
import styles from "./chart-card.module.css";
import type { LegendLine } from "./chart-drawing.js";
import type { ChartFile } from "./chart-file.js";
import { ChartTable } from "./chart-table.js";
import { Legend, type Swatches } from "./legend.js";

/** Properties that a card passes to its chart. */
export type CardChartProps = Omit<DayChartProps, "range"> & { svg: RefObject<SVGSVGElement | null> };

/**
 * A chart with its title, its legend, its numbers as a table, and its actions. Shares that are all zero take one
 * line instead.
 */
export function ChartCard({
  title,
  lead,
  file,
  rows,
  series,
  of,
  marks,
  height,
  draw,
}: {
  title: string;
  /** One sentence about the content of the chart. */
  lead: string;
  /** The chart as a saved file. */
  file: ChartFile;
  /** Days of the range; undefined while loading. */
  rows: readonly ChartDay[] | undefined;
  series: readonly Series[];
  /** Denominator of the shares, in words. */
  of?: string | undefined;
  marks?: readonly DayMark[] | undefined;
  /** Height of the chart in pixels. */
  height: number;
  draw: (chart: CardChartProps) => ReactNode;
}): ReactNode {
  const [asTable, setAsTable] = useState(false);
  const svg = useRef<SVGSVGElement>(null);
  const swatches = useRef<Swatches>(new Map());
  const legend = (): readonly LegendLine[] =>
    series.flatMap(({ title: text }) => {
      const swatch = swatches.current.get(text);
      return swatch === undefined ? [] : [{ swatch, text }];
    });
  const id = useId();
  const total = rows && totalOf(rows);
  if (of !== undefined && total !== undefined && series.every(({ countOf }) => countOf(total) === 0)) {
    return (
      <Card labelledBy={id}>
        <h2 id={id}>{title}</h2>
        <p className="soft">
          {series.map((each) => each.title).join(", ")}: {formatPercent(0)} {of} on every day.
        </p>
      </Card>
    );
  }
  const otherForm = asTable ? "Show as chart" : "Show as table";
  return (
    <Card className={styles.card} labelledBy={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p className="soft small">{lead}</p>
      </header>
      <div className={styles.body}>
        <figure aria-labelledby={id}>
          {rows === undefined ? (
            <Skeleton height={height} silent />
          ) : asTable ? (
            <ChartTable title={title} rows={rows} series={series} marks={marks} height={height} />
          ) : (
            draw({ label: `${title}, by day`, rows, height, svg, marks })
          )}
        </figure>
        <Legend series={series} total={total} of={of} swatches={swatches} />
      </div>
      <footer className={styles.actions}>
        <Button
          look="small"
          aria-label={`${otherForm}: ${title}`}
          disabled={rows === undefined}
          onClick={() => setAsTable(!asTable)}
        >
          {otherForm}
        </Button>
        {!asTable && rows !== undefined && (
          <ChartActions svg={svg} title={title} file={file} label={file.name} legend={legend} />
        )}
      </footer>
    </Card>
  );
}
