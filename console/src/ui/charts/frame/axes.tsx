import type { ReactNode } from "react";
import type { Day } from "../../../../../src/model/day.js";
import { daysIn } from "../../../model/days/day-range.js";
import { longDay, shortDay } from "../../../model/days/format-day.js";
import type { Plot } from "../shapes/plot.js";
import type { ValueScale } from "../shapes/value-scale.js";
import styles from "./axes.module.css";

/** Longest range, in days, whose axis labels omit the year. */
const DAYS_OF_A_YEAR = 366;
/** Widths of day labels, and the distance between them, in pixels. */
const SHORT_NAME = 60;
const LONG_NAME = 108;
const NAME_DISTANCE = 12;

/** The line below the plot with the labels of days. */
export function DayAxis({ plot }: { plot: Plot }): ReactNode {
  const { days, left, right, bottom } = plot;
  const isLong = daysIn(days.range) > DAYS_OF_A_YEAR;
  return (
    <g className={styles.days}>
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} />
      {namesOf(plot, isLong ? LONG_NAME : SHORT_NAME).map(({ day, x }) => (
        <text key={day} x={x} y={bottom + 18} textAnchor="middle">
          {isLong ? longDay(day) : shortDay(day)}
        </text>
      ))}
    </g>
  );
}

/**
 * Days to label, with their positions. The last label ends with the plot; labels that would touch it are left
 * out.
 */
function namesOf({ days, right }: Plot, width: number): { day: Day; x: number }[] {
  const { last } = days.range;
  const end = Math.min(days.center(last), right - (width - NAME_DISTANCE) / 2);
  return days
    .ticks(width)
    .map((day) => ({ day, x: day === last ? end : days.center(day) }))
    .filter(({ day, x }) => day === last || end - x >= width - NAME_DISTANCE);
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
