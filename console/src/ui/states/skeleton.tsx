import type { ReactNode } from "react";
import styles from "./skeleton.module.css";

/** A placeholder of the same height as the content that is loading. */
export function Skeleton({
  height,
  paused = false,
  silent = false,
}: {
  /** Pixels. */
  height: number;
  paused?: boolean;
  /** True for one of many placeholders, which says nothing. */
  silent?: boolean;
}): ReactNode {
  if (silent) return <div className={styles.skeleton} style={{ height }} />;
  return (
    <div className={styles.skeleton} style={{ height }} role="status">
      <span className={styles.text}>{paused ? "Waiting for a connection …" : "Loading …"}</span>
    </div>
  );
}
