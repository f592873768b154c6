import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { joinClasses } from "../elements/basics.js";
import styles from "./table-frame.module.css";

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

/**
 * Marks the parent of a scrolling element with `data-more` while content continues beyond its right edge. Works
 * without rendering, because scrolling would render a whole table.
 */
function useEdges(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const update = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      // Positions may be fractions of a pixel.
      element.parentElement?.toggleAttribute("data-more", scrollLeft + clientWidth < scrollWidth - 1);
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [frame]);
}

/** Rows of many cells that can be drawn at once without a noticeable delay, and fill most screens. */
const PART_LENGTH = 25;

/**
 * Splits items into parts that render one per frame, which keeps the page responsive. The first part is
 * available immediately.
 */
export function useParts<T>(items: readonly T[]): readonly (readonly T[])[] {
  const parts = useMemo(
    () =>
      Array.from({ length: Math.ceil(items.length / PART_LENGTH) }, (_, index) =>
        items.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH),
      ),
    [items],
  );
  const [count, setCount] = useState(1);
  const isComplete = count >= parts.length;
  useEffect(() => {
    if (isComplete) return;
    const frame = requestAnimationFrame(() => setCount(count + 1));
    return () => cancelAnimationFrame(frame);
  }, [isComplete, count]);
  return isComplete ? parts : parts.slice(0, count);
}
