import { type ReactNode, useRef } from "react";
import { joinClasses } from "../elements/join-classes.js";
import styles from "./table-frame.module.css";
import { useEdges } from "./use-edges.js";

/**
 * A table that scrolls within its own frame. The headings and the first column, which names each row, stay in
 * sight. A shadow at the right edge shows that more columns follow.
 */
export function TableFrame({
  caption,
  label = `${caption}, table`,
  className,
  maxHeight,
  isBusy = false,
  children,
}: {
  /** Content of the table, for assistive technology. */
  caption: string;
  /** Name of the scrolling area, other than that of anything around it; follows from the caption by default. */
  label?: string;
  /** Class of the table. */
  className?: string | undefined;
  /** Greatest height in pixels; unlimited if left out. */
  maxHeight?: number | undefined;
  /** True while rows are missing. */
  isBusy?: boolean;
  children: ReactNode;
}): ReactNode {
  const frame = useRef<HTMLElement>(null);
  useEdges(frame);
  return (
    <div className={styles.edges}>
      <section
        ref={frame}
        className={styles.frame}
        style={{ maxHeight }}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
        tabIndex={0}
      >
        <table className={joinClasses(styles.table, className)} aria-busy={isBusy}>
          <caption className="visually-hidden">{caption}</caption>
          {children}
        </table>
      </section>
    </div>
  );
}
