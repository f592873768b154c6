import { type ReactNode, type RefCallback, useId } from "react";
import type { Look } from "#console/model/figures/series.js";
import { Hatching } from "./hatching.js";
import { pointPath } from "./line-path.js";
import styles from "./swatch.module.css";

/** Appearance of a series, shown beside its name. */
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
