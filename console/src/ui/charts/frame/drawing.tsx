import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import styles from "./drawing.module.css";

/** The chart area, which fills the available width. */
export function DrawingArea({
  ref,
  height,
  children,
}: {
  ref: RefObject<HTMLDivElement | null>;
  /** Pixels. */
  height: number;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.area} ref={ref} style={{ height }}>
      {children}
    </div>
  );
}

/** The chart's SVG element. The cursor and the table describe it in words. */
export function Drawing({
  ref,
  width,
  height,
  children,
}: {
  ref?: RefObject<SVGSVGElement | null> | undefined;
  /** Pixels. */
  width: number;
  height: number;
  children: ReactNode;
}): ReactNode {
  return (
    <svg
      ref={ref}
      className={styles.drawing}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/**
 * Returns an element's current width in pixels. It is 0 until the first layout, which happens before the first paint.
 */
export function useWidth<E extends HTMLElement>(): [ref: RefObject<E | null>, width: number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
