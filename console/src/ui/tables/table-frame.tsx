import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { joinClasses } from "../elements/basics.js";
import styles from "./table-frame.module.css";

/**
 * A table that scrolls in its own frame. Headings and the first column stay in view. A shadow at the right edge shows
 * that more columns follow.
 */
export function TableFrame({
  caption,
  label = `${caption}, table`,
  className,
  maxHeight,
  onNearEnd,
  isBusy = false,
  children,
}: {
  /** Table name, for assistive technology. */
  caption: string;
  /** Unique name of the scrolling area. Derived from the caption by default. */
  label?: string;
  /** Class for the table element. */
  className?: string | undefined;
  /** Maximum height in pixels. Unlimited if omitted. */
  maxHeight?: number | undefined;
  /** Called while the viewer scrolls, and less than a screen of rows is left. */
  onNearEnd?: (() => void) | undefined;
  /** True while rows are still being rendered. */
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
        style={{ "--frame-height": maxHeight && `${maxHeight}px` } as CSSProperties}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight) onNearEnd?.();
        }}
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
 * Sets `data-more` on the parent while content continues past the right edge. Bypasses React, so that scrolling does
 * not render the table.
 */
function useEdges(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const update = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      // Positions may be fractional.
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

/** Number of rows per animation frame: enough to fill most screens, without a noticeable delay. */
const PART_LENGTH = 25;

/**
 * Splits items into parts and adds one part per animation frame, so that the page stays responsive. The first part is
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
