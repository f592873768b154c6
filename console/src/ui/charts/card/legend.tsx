import type { ReactNode, RefObject } from "react";
import { type Reading, readingsOf, type Series } from "#console/model/figures/series.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { joinClasses } from "../../elements/basics.js";
import { Swatch } from "../shapes/swatch.js";
import styles from "./legend.module.css";

/** Swatches on the page by the titles of their series. */
export type Swatches = Map<string, SVGSVGElement>;

/**
 * Explains the series of a chart, with their totals over the range. A share is the quotient of two totals. One of
 * several series with keys can be shown alone.
 */
export function Legend<C>({
  series,
  alone,
  onIsolate,
  total,
  of,
  swatches,
}: {
  series: readonly Series<C>[];
  /** The series that is shown alone; undefined if all are shown. */
  alone: Series<C> | undefined;
  /** Shows the series with a key alone, or all if that is undefined. */
  onIsolate: (key: string | undefined) => void;
  /** Counts of the whole range; undefined while loading. */
  total: C | undefined;
  /** Denominator of the shares, in words; undefined for counts. */
  of?: string | undefined;
  /** Receives the swatches on the page, for the picture of the chart. */
  swatches: RefObject<Swatches>;
}): ReactNode {
  const [base, ...others] = new Set(series.flatMap((each) => each.base ?? []));
  const nameOf = (each: Series<C>): ReactNode => (
    <>
      <Swatch
        look={each.look}
        ref={(swatch) => {
          if (swatch !== null) swatches.current.set(each.title, swatch);
        }}
      />
      <span className={styles.title} data-series>
        {each.title}
      </span>
    </>
  );
  return (
    <div className={styles.legend}>
      <p className={styles.of}>
        {base === undefined || of === undefined ? (
          "All days of the range together"
        ) : (
          <>
            <span>Share {of}, all days together</span>
            <span>{total !== undefined && others.length === 0 && formatCount(base.countOf(total))}</span>
          </>
        )}
      </p>
      <ul>
        {series.map((each) => {
          const { key, title, meaning } = each;
          const [reading] = total === undefined ? [] : readingsOf([each], total);
          return (
            <li key={title} className={joinClasses(alone !== undefined && alone !== each && styles.left)}>
              {key === undefined || series.length === 1 ? (
                <span className={styles.name}>{nameOf(each)}</span>
              ) : (
                <button
                  type="button"
                  className={styles.name}
                  aria-label={`Show only ${title}`}
                  aria-pressed={alone === each}
                  onClick={() => onIsolate(alone === each ? undefined : key)}
                >
                  {nameOf(each)}
                </button>
              )}
              <Value reading={reading} />
              <p className={styles.meaning}>{meaning}</p>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Value<C>({ reading }: { reading: Reading<C> | undefined }): ReactNode {
  if (reading === undefined) return <p className={styles.share} />;
  const { share, count } = reading;
  return (
    <p className={styles.share}>
      {share ?? count}
      {share !== undefined && <span className={styles.count}>{count}</span>}
    </p>
  );
}
