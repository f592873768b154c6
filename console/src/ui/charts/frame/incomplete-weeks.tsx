import type { ReactNode } from "react";
import { isIncomplete } from "#console/model/figures/caveats.js";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import type { Plot } from "../shapes/plot.js";
import styles from "./incomplete-weeks.module.css";

/** Underlines the weeks of which days are missing. */
export function IncompleteWeeks({
  plot: { days, bottom },
  rows,
}: {
  plot: Plot;
  rows: readonly Pick<ChartDay, "day" | "entryDays">[];
}): ReactNode {
  return (
    <path
      className={styles.incomplete}
      data-incomplete
      d={rows
        .filter(isIncomplete)
        .map(({ day }) => `M${days.left(day).toFixed(1)},${bottom + 3}h${days.width(day).toFixed(1)}`)
        .join("")}
    />
  );
}
