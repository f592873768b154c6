import type { ReactNode, RefObject } from "react";
import { type Reading, readingsOf, type Series } from "#console/model/figures/series.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { joinClasses } from "../../elements/basics.js";
import { Swatch } from "../shapes/swatch.js";
import styles from "./legend.module.css";

/** Swatch elements by series title. */
export type Swatches = Map<string, SVGSVGElement>;

/** Lists a chart's series, with their totals for the range. A click isolates a series with a key. */
export function Legend<C>({
  series,
  isolated,
  shown,
  onIsolate,
  total,
  totalDays,
  of,
  swatches,
}: {
  series: readonly Series<C>[];
  /** The isolated series. Undefined if all are shown. */
  isolated: Series<C> | undefined;
  shown: readonly Series<C>[];
  /** Isolates the series with a key, or shows all if it is undefined. */
  onIsolate: (key: string | undefined) => void;
  /** Counts for the whole range. Undefined while loading. */
  total: C | undefined;
  /** Days that the counts cover, in words. */
  totalDays: string;
  /** The shares' denominator, in words. Undefined for counts. */
  of?: string | undefined;
  /** Receives swatch elements, for the chart image. */
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
          `Total for ${totalDays}`
        ) : (
          <>
            <span>
              Share {of}, {totalDays}
            </span>
            <span>{total !== undefined && others.length === 0 && formatCount(base.countOf(total))}</span>
          </>
        )}
      </p>
      <ul>
        {series.map((each) => {
          const { key, title, meaning } = each;
          const [reading] = total === undefined ? [] : readingsOf([each], total);
          return (
            <li key={title} className={joinClasses(!shown.includes(each) && styles.left)}>
              {key === undefined || series.length === 1 ? (
                <span className={styles.name}>{nameOf(each)}</span>
              ) : (
                <button
                  type="button"
                  className={styles.name}
                  aria-label={`Show only ${title}`}
                  aria-pressed={isolated === each}
                  onClick={() => onIsolate(isolated === each ? undefined : key)}
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
