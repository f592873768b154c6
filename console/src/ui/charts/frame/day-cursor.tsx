import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from "react";
import type { Day } from "../../../../../src/model/day.js";
import { daysIn } from "../../../model/days/day-range.js";
import { formatPeriod } from "../../../model/days/format-day.js";
import { caveatsOf } from "../../../model/figures/caveats.js";
import type { ChartDay, DayMark } from "../../../model/figures/chart-day.js";
import { readingsOf, wordsOf } from "../../../model/figures/reading.js";
import type { Series } from "../../../model/figures/series.js";
import type { Plot } from "../shapes/plot.js";
import styles from "./day-cursor.module.css";
import { DayTooltip } from "./day-tooltip.js";

/** Number of days or weeks that each key moves by. */
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
export function DayCursor<C>({
  label,
  plot,
  rows,
  series,
  marks,
}: {
  label: string;
  plot: Plot;
  /** Days or, in a long range, weeks. */
  rows: readonly ChartDay<C>[];
  series: readonly Series<C>[];
  marks: readonly DayMark[];
}): ReactNode {
  const { days, left, right, top, bottom } = plot;
  const { range } = days;
  const [chosen, setChosen] = useState<Day>();
  const [shown, setShown] = useState(false);
  const rowsByDay = useMemo(() => new Map(rows.map((row) => [row.day, row])), [rows]);

  // The range may have changed since the day was chosen.
  const period = days.periodOf(
    chosen === undefined ? range.last : Math.min(range.last, Math.max(range.first, chosen)),
  );
  const day = period.first;
  const row = rowsByDay.get(day);
  const readings = row && readingsOf(series, row.counts);
  const mark = marks.find((each) => each.day >= day && each.day <= period.last);
  const words = readings === undefined ? "no entries" : readings.map(wordsOf).join(", ");
  const caveats = row === undefined ? [] : caveatsOf(row, series);
  const notes = [...caveats, ...(mark === undefined ? [] : [mark.text])];

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
      show(day + step * days.period);
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
      aria-valuetext={[`${formatPeriod(period)}: ${words}`, ...notes].join(". ")}
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
          <div className={styles.day} style={{ left: days.left(day) - left, width: days.width(day) }} />
          <DayTooltip
            title={formatPeriod(period)}
            readings={readings}
            notes={notes}
            x={days.center(day) - left}
            reach={days.width(day) / 2}
            width={right - left}
          />
        </>
      )}
    </div>
  );
}
