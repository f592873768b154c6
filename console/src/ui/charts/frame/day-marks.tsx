import type { ReactNode } from "react";
import type { DayMark } from "../../../model/figures/chart-day.js";
import type { Plot } from "../shapes/plot.js";
import styles from "./day-marks.module.css";

/** Marks days above the plot. */
export function DayMarks({
  plot: { days, top, bottom },
  marks,
}: {
  plot: Plot;
  marks: readonly DayMark[];
}): ReactNode {
  return (
    <g className={styles.marks}>
      {marks.map(({ day }) => {
        const x = days.center(day);
        return (
          <g key={day}>
            <line x1={x} x2={x} y1={top - 4} y2={bottom} />
            <path d={`M${x - 6},${top - 15}h12l-6,11z`} />
          </g>
        );
      })}
    </g>
  );
}
