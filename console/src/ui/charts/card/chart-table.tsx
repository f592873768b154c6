import { memo, type ReactNode, useMemo } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { periodLength, periodOf } from "#console/model/days/period.js";
import { type ChartDay, caveatsOf, type DayMark } from "#console/model/figures/chart-day.js";
import { type Base, readingsOf, type Series } from "#console/model/figures/series.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { useParts } from "#console/ui/tables/table-frame.js";
import { formatDay } from "#src/model/day.js";
import styles from "./chart-table.module.css";

/** A chart's data as a table: newest day or week first, and a total. */
export function ChartTable<C>({
  title,
  range,
  rows,
  total,
  series,
  marks = NO_MARKS,
  height,
}: {
  title: string;
  range: DayRange;
  rows: readonly ChartDay<C>[];
  total: C | undefined;
  series: readonly Series<C>[];
  marks?: readonly DayMark[] | undefined;
  /** Chart height in pixels. The table scrolls within it. */
  height: number;
}): ReactNode {
  const period = periodLength(range) === 1 ? "Day" : "Week";
  const newestFirst = useMemo(() => [...rows].reverse(), [rows]);
  const parts = useParts(newestFirst);
  const isBusy = parts.flat().length < rows.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
    <section className={styles.frame} style={{ height }} aria-label={`${title}: table`} tabIndex={0}>
      <table aria-busy={isBusy}>
        <caption className="visually-hidden">
          {title}, by {period.toLowerCase()}
        </caption>
        <thead>
          <tr>
            <th scope="col">{period}</th>
            {basesOf(series).map((base) => (
              <th key={base.title} scope="col">
                {base.title}
              </th>
            ))}
            {series.map(({ title: each }) => (
              <th key={each} scope="col">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <Rows key={part[0]?.day} range={range} rows={part} series={series} marks={marks} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All days</th>
            {total !== undefined && <Cells counts={total} series={series} />}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

const NO_MARKS: readonly DayMark[] = [];

/** Returns each denominator once. */
const basesOf = <C,>(series: readonly Series<C>[]): readonly Base<C>[] => [
  ...new Set(series.flatMap(({ base }) => base ?? [])),
];

/** Memoized, so that existing rows do not render again when more follow. */
const Rows = memo(function Rows<C>({
  range,
  rows,
  series,
  marks,
}: {
  range: DayRange;
  rows: readonly ChartDay<C>[];
  series: readonly Series<C>[];
  marks: readonly DayMark[];
}): ReactNode {
  return rows.map((row) => {
    const { first, last } = periodOf(row.day, range);
    return (
      <tr key={row.day}>
        <th scope="row">
          <time dateTime={formatDay(first)}>{formatRange({ first, last })}</time>
          {caveatsOf(row, series).map((caveat) => (
            <span key={caveat} className={styles.mark}>
              {caveat}
            </span>
          ))}
          {marks.some(({ day }) => day >= first && day <= last) && (
            <span className={styles.mark}>incident</span>
          )}
        </th>
        <Cells counts={row.counts} series={series} />
      </tr>
    );
  });
}) as <C>(props: {
  range: DayRange;
  rows: readonly ChartDay<C>[];
  series: readonly Series<C>[];
  marks: readonly DayMark[];
}) => ReactNode;

function Cells<C>({ counts, series }: { counts: C; series: readonly Series<C>[] }): ReactNode {
  return (
    <>
      {basesOf(series).map((base) => (
        <td key={base.title}>{formatCount(base.countOf(counts))}</td>
      ))}
      {readingsOf(series, counts).map(({ series: { title }, share, count }) => (
        <td key={title}>
          {share ?? count}
          {share !== undefined && <span className={styles.count}> ({count})</span>}
        </td>
      ))}
    </>
  );
}
