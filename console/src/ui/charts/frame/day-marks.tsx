import type { ReactNode } from "react";
import { type ChartDay, type DayMark, isIncomplete } from "#console/model/figures/chart-day.js";
import type { Plot } from "../shapes/scales.js";
import styles from "./day-marks.module.css";

interface MarksProps {
  readonly plot: Plot;
  /** Ordered by day. */
  readonly marks: readonly DayMark[];
}

/** Shades marked days, behind the plot. */
export const DayShades = ({ plot: { days, top, bottom }, marks }: MarksProps): ReactNode => (
  <g className={styles.shades}>
    {runsOf(marks).map(({ first, last }) => (
      <rect
        key={first}
        x={days.start(first)}
        width={days.start(last + 1) - days.start(first)}
        y={top}
        height={bottom - top}
      />
    ))}
  </g>
);

/** Lines above marked days, with a pointer where an incident begins. */
export const DayMarks = ({ plot: { days, top, bottom }, marks }: MarksProps): ReactNode => (
  <g className={styles.marks}>
    {runsOf(marks).map(({ first, last }) => (
      <path
        key={first}
        d={`M${days.left(first)},${top - 6}H${days.left(last) + days.width(last)}v2H${days.left(first)}z`}
      />
    ))}
    {marks
      .filter(({ isStart }) => isStart)
      .map(({ day }) => {
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

/** Groups consecutive marked days. */
function runsOf(marks: readonly DayMark[]): readonly { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const { day } of marks) {
    const run = runs.at(-1);
    if (run?.last === day - 1) run.last = day;
    else runs.push({ first: day, last: day });
  }
  return runs;
}

/** Underlines incomplete weeks. */
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
