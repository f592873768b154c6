import type { ReactNode } from "react";
import { joinClasses } from "../elements/join-classes.js";
import styles from "./kept.module.css";

/** Figures that stay on the page, dimmed, while others load: those of `useKept`. */
export function Kept({
  isStale,
  isBusy = isStale,
  className,
  children,
}: {
  isStale: boolean;
  /** True while anything loads; defaults to `isStale`. */
  isBusy?: boolean;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={joinClasses(styles.kept, className)} aria-busy={isBusy} data-stale={isStale || undefined}>
      {children}
    </div>
  );
}
