import type { ReactNode } from "react";
import { monthOf, shortDay } from "#console/model/days/format-day.js";
import type { Day } from "#src/model/day.js";
import type { Plot, ValueScale } from "../shapes/scales.js";
import styles from "./axes.module.css";

/** Widths of day and month labels, including the space between them, in pixels. */
const DAY_NAME = 60;
const MONTH_NAME = 76;
const NAME_DISTANCE = 12;
/** Length of a month's tick in pixels. */
const MONTH_LINE = 6;

/** The line below the plot, with day labels or, in a long range, month labels. */
export function DayAxis({ plot }: { plot: Plot }): ReactNode {
  const { days, left, right, bottom } = plot;
  return (
    <g className={styles.days}>
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} />
      {days.period === 1 ? (
        dayNamesOf(plot).map(({ day, x }) => (
          <text key={day} x={x} y={bottom + 18} textAnchor="middle">
            {shortDay(day)}
          </text>
        ))
      ) : (
        <Months plot={plot} />
      )}
    </g>
  );
}

/** A tick at the start of each month, with its name if that fits into the plot. */
function Months({ plot: { days, right, bottom } }: { plot: Plot }): ReactNode {
  return days.ticks(MONTH_NAME).map((day) => {
    const x = days.start(day);
    return (
      <g key={day}>
        <line x1={x} x2={x} y1={bottom} y2={bottom + MONTH_LINE} />
        {x + (MONTH_NAME - NAME_DISTANCE) / 2 <= right && (
          <text x={x} y={bottom + 18} textAnchor="middle">
            {monthOf(day)}
          </text>
        )}
      </g>
    );
  });
}

/**
 * Returns days to label, with their positions. The last day always has a label, and labels that would touch it are
 * skipped.
 */
function dayNamesOf({ days, right }: Plot): { day: Day; x: number }[] {
  const { last } = days.range;
  const end = Math.min(days.center(last), right - (DAY_NAME - NAME_DISTANCE) / 2);
  return days
    .ticks(DAY_NAME)
    .map((day) => ({ day, x: day === last ? end : days.center(day) }))
    .filter(({ day, x }) => day === last || end - x >= DAY_NAME - NAME_DISTANCE);
}

/** Grid lines with their values. */
export function ValueAxis({
  plot: { left, right },
  scale,
  format,
}: {
  plot: Plot;
  scale: ValueScale;
  format: (value: number) => string;
}): ReactNode {
  return (
    <g className={styles.values} data-axis="values">
      {scale.ticks.map((value) => {
        const y = Math.round(scale.y(value)) + 0.5;
        return (
          <g key={value}>
            <line x1={left} x2={right} y1={y} y2={y} />
            <text x={left - 8} y={y} dominantBaseline="central" textAnchor="end">
              {format(value)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
