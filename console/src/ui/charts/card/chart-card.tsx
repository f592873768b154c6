import { type ReactNode, type RefObject, useId, useMemo, useRef, useState } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { periodLength } from "#console/model/days/period.js";
import {
  type ChartDay,
  type DayMark,
  isIncomplete,
  rowsByPeriod,
  totalOf,
} from "#console/model/figures/chart-day.js";
import { isUncertain, type Series } from "#console/model/figures/series.js";
import { type Counts, FEW } from "#console/model/numbers/counts.js";
import { formatCount, formatPercent } from "#console/model/numbers/format-number.js";
import { Card } from "#console/ui/elements/card.js";
import type { Day } from "#src/model/day.js";
import type { ChartFile } from "../../files/files.js";
import { Skeleton } from "../../states/loaded.js";
import { changeView, useView } from "../../view/use-view.js";
import type { DayChartProps } from "../frame/chart-frame.js";
import styles from "./chart-card.module.css";
import type { LegendLine } from "./chart-drawing.js";
import { ChartMenu } from "./chart-menu.js";
import { ChartTable } from "./chart-table.js";
import { Legend, type Swatches } from "./legend.js";

export type CardChartProps<C = Counts> = DayChartProps<C> & { svg: RefObject<SVGSVGElement | null> };

interface ChartCardProps<C> {
  readonly title: string;
  /** Explanation, in one sentence. */
  readonly lead: string;
  /** Name and subtitle of the saved image. */
  readonly file: ChartFile;
  readonly range: DayRange;
  /** Days in the range. Undefined while loading. */
  readonly rows: readonly ChartDay<C>[] | undefined;
  readonly series: readonly Series<C>[];
  /** The shares' denominator, in words. */
  readonly of?: string | undefined;
  /** Key of a series that the chart omits until it is isolated. The legend and the table always list it. */
  readonly omitted?: string | undefined;
  /** True if the chart stacks its series, so that the legend lists them from top to bottom. */
  readonly isStacked?: boolean;
  readonly marks?: readonly DayMark[] | undefined;
  /** The chosen days, to which the legend's totals apply. Undefined if all days are chosen. */
  readonly chosen?: DayRange | undefined;
  /** Controls in the header. */
  readonly controls?: ReactNode;
  /** Height of the chart in pixels. */
  readonly height: number;
  readonly draw: (chart: CardChartProps<C>) => ReactNode;
}

/** A {@link ChartCardOf} entry counts. */
export const ChartCard = (card: ChartCardProps<Counts>): ReactNode => <ChartCardOf {...card} sum={totalOf} />;

/**
 * A chart with title, legend, data table, and a menu. It shows a long range by week. A click in the legend isolates a
 * series. If all shares are zero, the card has a single line instead.
 */
export function ChartCardOf<C>({
  title,
  lead,
  file,
  range,
  rows: days,
  sum,
  series,
  of,
  omitted,
  isStacked = false,
  marks,
  chosen,
  controls,
  height,
  draw,
}: ChartCardProps<C> & {
  /** Adds up counts. */
  sum: (days: readonly ChartDay<C>[]) => C;
}): ReactNode {
  const { category } = useView();
  const [asTable, setAsTable] = useState(false);
  const svg = useRef<SVGSVGElement>(null);
  const swatches = useRef<Swatches>(new Map());
  const rows = useMemo(() => days && rowsByPeriod(days, range, sum), [days, range, sum]);
  const isolated = category === undefined ? undefined : series.find(({ key }) => key === category);
  const listed = useMemo(() => (isolated === undefined ? series : [isolated]), [isolated, series]);
  const shown = useMemo(
    () =>
      isolated === undefined ? listed.filter(({ key }) => key === undefined || key !== omitted) : listed,
    [isolated, listed, omitted],
  );
  const named = useMemo(() => (isStacked ? [...series].reverse() : series), [isStacked, series]);
  const legend = (): readonly LegendLine[] =>
    named.flatMap((each) => {
      const swatch = shown.includes(each) ? swatches.current.get(each.title) : undefined;
      return swatch === undefined ? [] : [{ swatch, text: each.title }];
    });
  const id = useId();
  const total = useMemo(
    () => days && sum(chosen === undefined ? days : days.filter(isIn(chosen))),
    [days, sum, chosen],
  );
  if (of !== undefined && total !== undefined && series.every(({ countOf }) => countOf(total) === 0)) {
    return (
      <Card labelledBy={id}>
        <h2 id={id}>{title}</h2>
        {controls}
        <p className="soft">
          {series.map((each) => each.title).join(", ")}: {formatPercent(0)} {of} on every day.
        </p>
      </Card>
    );
  }
  return (
    <Card className={styles.card} labelledBy={id}>
      <header className={styles.head}>
        <div className={styles.titled}>
          <div>
            <h2 id={id}>{title}</h2>
            <p className="soft small">
              {lead}
              {periodLength(range) > 1 && " By week, Monday to Sunday."}
            </p>
          </div>
          {controls}
        </div>
        <ChartMenu
          svg={svg}
          title={title}
          file={file}
          label={file.name}
          legend={legend}
          form={{ isTable: asTable, isReady: rows !== undefined, onChange: setAsTable }}
        />
      </header>
      <div className={styles.body}>
        <figure aria-labelledby={id}>
          {rows === undefined ? (
            <Skeleton height={height} silent />
          ) : asTable ? (
            <ChartTable
              title={title}
              range={range}
              rows={rows}
              total={sum(rows)}
              series={listed}
              marks={marks}
              height={height}
            />
          ) : (
            draw({ label: `${title}, by day`, range, rows, sum, series: shown, height, svg, marks, chosen })
          )}
        </figure>
        <Legend
          series={named}
          isolated={isolated}
          shown={shown}
          onIsolate={(key) => changeView({ category: key }, "replace")}
          total={total}
          totalDays={chosen === undefined ? "all days" : formatRange(chosen)}
          of={of}
          swatches={swatches}
        />
      </div>
      <footer className={styles.notes}>
        {rows !== undefined && (
          <p className="soft small">
            {rows.some((row) => shown.some((each) => isUncertain(each, row.counts))) &&
              `Faded or dashed: fewer than ${formatCount(FEW)} messages, so the percentage is unreliable. `}
            {rows.some(isIncomplete) && "Dashed underline: incomplete week."}
          </p>
        )}
      </footer>
    </Card>
  );
}

const isIn =
  ({ first, last }: DayRange) =>
  ({ day }: { readonly day: Day }): boolean =>
    day >= first && day <= last;
