import type { ReactNode } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { type ChartDay, type DayMark, isIncomplete } from "#console/model/figures/chart-day.js";
import type { DayScale, Plot } from "../shapes/scales.js";
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
export const DayMarks = ({
  plot: { days, top, bottom, right },
  marks,
  hasNames = false,
}: MarksProps & {
  /** True to name incidents where they begin. */
  hasNames?: boolean;
}): ReactNode => (
  <g className={styles.marks}>
    {runsOf(marks).map(({ first, last }) => (
      <path
        key={first}
        d={`M${days.left(first)},${top - 6}H${days.left(last) + days.width(last)}v2H${days.left(first)}z`}
      />
    ))}
    {marks
      .filter(({ starts }) => starts.length > 0)
      .map(({ day }) => {
        const x = days.center(day);
        return (
          <g key={day}>
            <line x1={x} x2={x} y1={top - 4} y2={bottom} />
            <path d={`M${x - 6},${top - 15}h12l-6,11z`} />
          </g>
        );
      })}
    {hasNames &&
      namesOf(days, right, marks).map(({ day, x, name }) => (
        <text key={day} x={x} y={top - 9} data-incident>
          {name}
        </text>
      ))}
  </g>
);

/** Approximate width of a character, and distance of a name from its pointer, in pixels. */
const CHARACTER = 6.5;
const NAME_DISTANCE = 10;
/** Minimum number of characters of a name. */
const MIN_NAME = 4;

/** Returns names beside the pointers, cut before the next one. A name without room is omitted. */
export function namesOf(
  days: DayScale,
  right: number,
  marks: readonly DayMark[],
): readonly { day: number; x: number; name: string }[] {
  const starts = marks.filter(({ starts }) => starts.length > 0);
  return starts.flatMap(({ day, starts: [first = "", ...others] }, index) => {
    const x = days.center(day) + NAME_DISTANCE;
    const next = starts[index + 1];
    const end = next === undefined ? right : days.center(next.day) - NAME_DISTANCE;
    const room = Math.floor((end - x) / CHARACTER);
    const name = others.length === 0 ? first : `${first} +${others.length}`;
    if (room < Math.min(MIN_NAME, name.length)) return [];
    return [{ day, x, name: name.length <= room ? name : `${name.slice(0, room - 1)}…` }];
  });
}

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

/** Outlines the chosen days. */
export const DayHighlight = ({
  plot: { days, top, bottom },
  range: { first, last },
}: {
  plot: Plot;
  range: DayRange;
}): ReactNode => (
  <rect
    className={styles.highlight}
    data-highlight
    x={days.start(first)}
    width={days.start(last + 1) - days.start(first)}
    y={top}
    height={bottom - top}
  />
);

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
