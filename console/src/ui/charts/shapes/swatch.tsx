import { type ReactNode, type RefCallback, useId } from "react";
import type { Look } from "#console/model/figures/series.js";
import { pointPath } from "./paths.js";
import styles from "./swatch.module.css";

/** A sample of a series' color and shape. */
export function Swatch({
  look: { color, mark },
  ref,
}: {
  look: Look;
  ref?: RefCallback<SVGSVGElement>;
}): ReactNode {
  const id = useId();
  const fill = `var(${color})`;
  const isArea = mark === "solid" || mark === "hatched";
  return (
    <svg ref={ref} className={styles.swatch} width="16" height="12" aria-hidden="true">
      {mark === "hatched" && <Hatching id={id} color={color} />}
      {isArea ? (
        <rect
          x="2.5"
          y="0.5"
          width="11"
          height="11"
          rx="2"
          style={{ fill: mark === "hatched" ? `url(#${id})` : fill, stroke: fill }}
        />
      ) : (
        <>
          <line x1="0" x2="16" y1="6" y2="6" style={{ stroke: fill, strokeWidth: 2 }} />
          <path d={pointPath(mark, 8, 6)} style={{ fill }} />
        </>
      )}
    </svg>
  );
}

/** A stripe pattern for unknown values, used as fill `url(#id)`. */
export function Hatching({ id, color }: { id: string; color: `--${string}` }): ReactNode {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" style={{ fill: "var(--surface)" }} />
        <rect width="2" height="5" style={{ fill: `var(${color})` }} />
      </pattern>
    </defs>
  );
}
