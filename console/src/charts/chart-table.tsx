import type { ReactNode } from "react";
import { isoDate } from "../days/day-range.js";
import { longDay } from "../days/format-day.js";
import type { Counts } from "../numbers/counts.js";
import { formatCount } from "../numbers/format-number.js";
import { type ChartDay, type DayMark, totalOf } from "./chart-day.js";
import { readingsOf } from "./reading.js";
import type { Series } from "./series.js";

/** The numbers of a chart, newest day first, and their total. */
export function ChartTable({
  title,
  rows,
  series,
  marks = [],
  height,
}: {
  title: string;
  rows: readonly ChartDay[];
  series: readonly Series[];
  marks?: readonly DayMark[] | undefined;
  /** That of the chart: the table scrolls within. */
  height: number;
}): ReactNode {
  const denominator = series.find((each) => each.denominator !== undefined)?.denominator;
  const titles = series.map((each) => each.title);
  const marked = new Map(marks.map(({ day, text }) => [day, text]));
  const cells = (counts: Counts): ReactNode => (
    <>
      {denominator !== undefined && <td>{formatCount(counts[denominator] ?? 0)}</td>}
      {readingsOf(series, counts).map(({ series: each, share, count }) => (
        <td key={each.title}>
          {share ?? count}
          {share !== undefined && <span className="chart-table-count"> ({count})</span>}
        </td>
      ))}
    </>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <section className="chart-table" style={{ height }} aria-label={`${title}: table`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{title}, by day in Los Angeles time</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {denominator !== undefined && (
              <th scope="col">
                {denominator === "countMessagesAccepted" ? "Accepted messages" : "Notifications"}
              </th>
            )}
            {titles.map((each) => (
              <th key={each} scope="col">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].reverse().map(({ day, counts }) => (
            <tr key={day}>
              <th scope="row">
                <time dateTime={isoDate(day)}>{longDay(day)}</time>
                {marked.has(day) && <span className="chart-table-mark">stands out</span>}
              </th>
              {cells(counts)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All days</th>
            {cells(totalOf(rows))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
