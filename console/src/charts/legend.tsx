import type { ReactNode } from "react";
import type { Counts } from "../numbers/counts.js";
import { formatCount } from "../numbers/format-number.js";
import { readingsOf } from "./reading.js";
import type { Series } from "./series.js";
import { Swatch } from "./swatch.js";

/** Explains what a chart draws, with the totals of the range: sums of the counts, and shares of these sums. */
export function Legend({
  series,
  total,
  of,
}: {
  series: readonly Series[];
  /** The counts of the whole range; undefined as long as they are on their way. */
  total: Counts | undefined;
  /** What the shares are of, in words; nothing for counts. */
  of?: string | undefined;
}): ReactNode {
  const denominator = series.find((each) => each.denominator !== undefined)?.denominator;
  return (
    <div className="chart-legend">
      <p className="chart-legend-of">
        {denominator === undefined || of === undefined ? (
          "All days of the range together"
        ) : (
          <>
            <span>Share {of}, all days together</span>
            <span>{total !== undefined && formatCount(total[denominator] ?? 0)}</span>
          </>
        )}
      </p>
      <ul>
        {readingsOf(series, total ?? {}).map(({ series: { title, meaning, look }, share, count }) => (
          <li key={title}>
            <Swatch look={look} />
            <div className="chart-legend-words">
              <p className="chart-legend-title">{title}</p>
              <p className="chart-legend-meaning">{meaning}</p>
            </div>
            <p className="chart-legend-share">
              {total !== undefined && (share ?? count)}
              {total !== undefined && share !== undefined && (
                <span className="chart-legend-count">{count}</span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
