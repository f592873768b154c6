import { createContext, type ReactNode } from "react";
import type { DayMark } from "#console/model/figures/chart-day.js";
import type { Plot } from "../shapes/scales.js";
import { namesOf } from "./day-marks.js";
import styles from "./day-notes.module.css";

/** Events that users recorded, by day, for all charts within. */
export const DayNotesContext = createContext<readonly DayMark[]>([]);

/** A line with a flag for each day with an event. */
export const DayNotes = ({
  plot: { days, top, bottom, right },
  notes,
  hasNames,
}: {
  plot: Plot;
  /** Ordered by day. */
  notes: readonly DayMark[];
  /** True to name the events. */
  hasNames: boolean;
}): ReactNode => (
  <g className={styles.notes}>
    {notes.map(({ day }) => {
      const x = days.center(day);
      return (
        <g key={day} data-note>
          <line x1={x} x2={x} y1={top} y2={bottom} />
          <path d={`M${x},${bottom - 14}h8l-3,4l3,4h-8z`} />
        </g>
      );
    })}
    {hasNames &&
      namesOf(days, right, notes).map(({ day, x, name }) => (
        <text key={day} x={x} y={bottom - 6} data-note-name>
          {name}
        </text>
      ))}
  </g>
);
