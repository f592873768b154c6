import type { ReactNode } from "react";
import { formatPercent } from "../../model/numbers/format-number.js";
import styles from "./share-bar.module.css";

/** A share as a number and a bar, with a mark at the value expected if all labels did equally well. */
export function ShareBar({
  share,
  expected,
  full,
}: {
  share: number | undefined;
  expected: number | undefined;
  /** The share that fills the whole bar, in percent. */
  full: number;
}): ReactNode {
  return (
    <span className={styles.share}>
      <span className={styles.track} aria-hidden="true">
        {share !== undefined && (
          <span className={styles.fill} style={{ width: `${(100 * share) / full}%` }} />
        )}
        {expected !== undefined && (
          <span className={styles.mark} style={{ left: `${(100 * expected) / full}%` }} />
        )}
      </span>
      <span>{formatPercent(share)}</span>
    </span>
  );
}
