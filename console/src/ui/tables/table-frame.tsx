import type { ReactNode } from "react";
import { joinClasses } from "../elements/join-classes.js";
import styles from "./table-frame.module.css";

/**
 * A table that scrolls within its own frame. The headings and the first column, which names each row, stay in
 * sight.
 */
export function TableFrame({
  caption,
  label = caption,
  className,
  maxHeight,
  children,
}: {
  /** Content of the table, for assistive technology. */
  caption: string;
  /** Name of the scrolling area; defaults to the caption. */
  label?: string;
  /** Class of the table. */
  className?: string | undefined;
  /** Greatest height in pixels; unlimited if left out. */
  maxHeight?: number | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
    <section className={styles.frame} style={{ maxHeight }} aria-label={label} tabIndex={0}>
      <table className={joinClasses(styles.table, className)}>
        <caption className="visually-hidden">{caption}</caption>
        {children}
      </table>
    </section>
  );
}
