import type { ReactNode, RefObject } from "react";
import styles from "./drawing.module.css";

/** The area of a chart: as wide as there is room. */
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

/** The drawing of a chart. The cursor and the table describe it in words. */
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
