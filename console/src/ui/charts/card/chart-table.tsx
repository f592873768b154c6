import { memo, type ReactNode, useMemo } from "react";
import { isoDate } from "../../../model/days/day-range.js";
import { longDay } from "../../../model/days/format-day.js";
import { type ChartDay, type DayMark, totalOf } from "../../../model/figures/chart-day.js";
import { readingsOf } from "../../../model/figures/reading.js";
import type { Series } from "../../../model/figures/series.js";
import type { Denominator } from "../../../model/numbers/categories.js";
import type { Counts } from "../../../model/numbers/counts.js";
import { formatCount } from "../../../model/numbers/format-number.js";
import styles from "./chart-table.module.css";
import { useParts } from "./use-parts.js";

/** The numbers of a chart, newest day first, and their total. */
export function ChartTable({
  title,
  rows,
  series,
  marks = NO_MARKS,
  height,
}: {
  title: string;
  rows: readonly ChartDay[];
  series: readonly Series[];
  marks?: readonly DayMark[] | undefined;
  /** Height of the chart in pixels; the table scrolls within it. */
  height: number;
}): ReactNode {
  const denominator = denominatorOf(series);
  const newestFirst = useMemo(() => [...rows].reverse(), [rows]);
  const parts = useParts(newestFirst);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
    <section className={styles.frame} style={{ height }} aria-label={`${title}: table`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{title}, by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {denominator !== undefined && (
              <th scope="col">
                {denominator === "countMessagesAccepted" ? "Accepted messages" : "Notifications"}
              </th>
            )}
            {series.map(({ title: each }) => (
              <th key={each} scope="col">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <Rows key={part[0]?.day} rows={part} series={series} marks={marks} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All days</th>
            <Cells counts={totalOf(rows)} series={series} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

const NO_MARKS: readonly DayMark[] = [];

const denominatorOf = (series: readonly Series[]): Denominator | undefined =>
  series.find((each) => each.denominator !== undefined)?.denominator;

/** Memoized: rows that are drawn already do not render again when more follow. */
const Rows = memo(function Rows({
  rows,
  series,
  marks,
}: {
  rows: readonly ChartDay[];
  series: readonly Series[];
  marks: readonly DayMark[];
}): ReactNode {
  return rows.map(({ day, counts }) => (
    <tr key={day}>
      <th scope="row">
        <time dateTime={isoDate(day)}>{longDay(day)}</time>
        {marks.some((mark) => mark.day === day) && <span className={styles.mark}>stands out</span>}
      </th>
      <Cells counts={counts} series={series} />
    </tr>
  ));
});

function Cells({ counts, series }: { counts: Counts; series: readonly Series[] }): ReactNode {
  const denominator = denominatorOf(series);
  return (
    <>
      {denominator !== undefined && <td>{formatCount(counts[denominator] ?? 0)}</td>}
      {readingsOf(series, counts).map(({ series: { title }, share, count }) => (
        <td key={title}>
          {share ?? count}
          {share !== undefined && <span className={styles.count}> ({count})</span>}
        </td>
      ))}
    </>
  );
}
