import type { ReactNode } from "react";
import { formatPercent } from "#console/model/numbers/format-number.js";
import styles from "./share-bar.module.css";

/**
 * A share as a number and as the filled part of a bar, with a mark at the value expected if all labels did
 * equally well.
 */
export function ShareBar({
  share,
  expected,
}: {
  /** In percent. */
  share: number | undefined;
  /** In percent. */
  expected: number | undefined;
}): ReactNode {
  return (
    <span className={styles.share}>
      <span className={styles.track} aria-hidden="true">
        {share !== undefined && <span className={styles.fill} style={{ width: `${share}%` }} />}
        {expected !== undefined && <span className={styles.mark} style={{ left: `${expected}%` }} />}
      </span>
      <span>{formatPercent(share)}</span>
    </span>
  );
}
