import type { ReactNode } from "react";
import { daysIn } from "../days/day-range.js";
import { longDay, shortDay } from "../days/format-day.js";
import type { Plot } from "./plot.js";
import type { ValueScale } from "./value-scale.js";

/** In a range that is longer, the names of days say their year. */
const DAYS_OF_A_YEAR = 366;

/** The line below the plot with the names of days. */
export function DayAxis({ plot: { days, left, right, bottom } }: { plot: Plot }): ReactNode {
  const isLong = daysIn(days.range) > DAYS_OF_A_YEAR;
  return (
    <g className="chart-axis">
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} />
      {days.ticks(isLong ? 108 : 60).map((day) => {
        const x = days.center(day);
        // The name of the last day ends with the plot.
        const atEnd = x > right - 24;
        return (
          <text key={day} x={atEnd ? right : x} y={bottom + 18} textAnchor={atEnd ? "end" : "middle"}>
            {isLong ? longDay(day) : shortDay(day)}
          </text>
        );
      })}
    </g>
  );
}

/** The lines of the grid with the names of values. */
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
    <g className="chart-grid">
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
