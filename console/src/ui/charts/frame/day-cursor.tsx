import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from "react";
import type { Day } from "../../../../../src/model/day.js";
import { daysIn } from "../../../model/days/day-range.js";
import { fullDay } from "../../../model/days/format-day.js";
import type { ChartDay, DayMark } from "../../../model/figures/chart-day.js";
import { readingsOf, wordsOf } from "../../../model/figures/reading.js";
import type { Series } from "../../../model/figures/series.js";
import type { Plot } from "../shapes/plot.js";
import styles from "./day-cursor.module.css";
import { DayTooltip } from "./day-tooltip.js";

/** Number of days that each key moves by. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * Lies over a chart and shows the values of one day, chosen by pointer or keys. Assistive technology sees a
 * slider whose value text is that day's reading. Moving the cursor does not render the chart again.
 */
export function DayCursor({
  label,
  plot,
  rows,
  series,
  marks,
}: {
  label: string;
  plot: Plot;
  rows: readonly ChartDay[];
  series: readonly Series[];
  marks: readonly DayMark[];
}): ReactNode {
  const { days, left, right, top, bottom } = plot;
  const { range } = days;
  const [chosen, setChosen] = useState<Day>();
  const [shown, setShown] = useState(false);
  const countsByDay = useMemo(() => new Map(rows.map(({ day, counts }) => [day, counts])), [rows]);

  // The range may have changed since the day was chosen.
  const day = chosen === undefined ? range.last : Math.min(range.last, Math.max(range.first, chosen));
  const counts = countsByDay.get(day);
  const readings = counts && readingsOf(series, counts);
  const mark = marks.find((each) => each.day === day);
  const words = readings === undefined ? "no entries" : readings.map(wordsOf).join(", ");

  const show = (next: Day): void => {
    setChosen(Math.min(range.last, Math.max(range.first, next)));
    setShown(true);
  };
  const showPointed = (event: PointerEvent<HTMLElement>): void =>
    show(days.dayAt(event.clientX - event.currentTarget.getBoundingClientRect().left + left));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (event.key === "Escape" && shown) setShown(false);
    else if (step !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      show(day + step);
    } else return;
    event.preventDefault();
  };

  return (
    <div
      className={styles.cursor}
      style={{ left, width: right - left, top, height: bottom - top }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={daysIn(range)}
      aria-valuenow={day - range.first + 1}
      aria-valuetext={`${fullDay(day)}: ${words}${mark === undefined ? "" : `. ${mark.text}`}`}
      onPointerDown={showPointed}
      onPointerMove={showPointed}
      onPointerLeave={(event) => {
        // A day chosen by touch stays until another is chosen.
        if (event.pointerType !== "touch") setShown(event.currentTarget.matches(":focus-visible"));
      }}
      onFocus={(event) => {
        if (event.currentTarget.matches(":focus-visible")) setShown(true);
      }}
      onBlur={() => setShown(false)}
      onKeyDown={onKeyDown}
    >
      {shown && (
        <>
          <div className={styles.day} style={{ left: days.left(day) - left, width: days.bar }} />
          <DayTooltip
            day={day}
            readings={readings}
            mark={mark}
            x={days.center(day) - left}
            reach={days.bar / 2}
            width={right - left}
          />
        </>
      )}
    </div>
  );
}
