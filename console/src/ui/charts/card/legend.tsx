import type { ReactNode, RefObject } from "react";
import { readingsOf } from "../../../model/figures/reading.js";
import type { Series } from "../../../model/figures/series.js";
import type { Counts } from "../../../model/numbers/counts.js";
import { formatCount } from "../../../model/numbers/format-number.js";
import { Swatch } from "../shapes/swatch.js";
import styles from "./legend.module.css";

/** Swatches on the page by the titles of their series. */
export type Swatches = Map<string, SVGSVGElement>;

/**
 * Explains the series of a chart, with their totals over the range. A share is the quotient of two totals.
 */
export function Legend({
  series,
  total,
  of,
  swatches,
}: {
  series: readonly Series[];
  /** Counts of the whole range; undefined while loading. */
  total: Counts | undefined;
  /** Denominator of the shares, in words; undefined for counts. */
  of?: string | undefined;
  /** Receives the swatches on the page, for the picture of the chart. */
  swatches: RefObject<Swatches>;
}): ReactNode {
  const denominator = series.find((each) => each.denominator !== undefined)?.denominator;
  return (
    <div className={styles.legend}>
      <p className={styles.of}>
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
            <Swatch
              look={look}
              ref={(swatch) => {
                if (swatch !== null) swatches.current.set(title, swatch);
              }}
            />
            <div>
              <p className={styles.title} data-series>
                {title}
              </p>
              <p className={styles.meaning}>{meaning}</p>
            </div>
            <p className={styles.share}>
              {total !== undefined && (share ?? count)}
              {total !== undefined && share !== undefined && <span className={styles.count}>{count}</span>}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
