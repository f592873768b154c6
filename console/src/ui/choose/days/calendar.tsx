import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { type DayRange, isSameRange, rangeBetween } from "#console/model/days/day-range.js";
import { fullDay, monthOf, weekdayNames } from "#console/model/days/format-day.js";
import { addMonths, weeksOfMonth } from "#console/model/days/month.js";
import { civilDate, type Day, FIRST_DAY, WEEK, weekdayOf } from "#src/model/day.js";
import { Button } from "../../elements/basics.js";
import styles from "./calendar.module.css";

const MONTHS = 12;

/**
 * A month of days: a grid with one tab stop (ARIA Authoring Practices, date picker dialog). Arrow keys move by day and
 * week, Home and End within a week, Page Up and Page Down by month, and with Shift by year.
 */
export function Calendar({
  range,
  start,
  last,
  hasFocus = false,
  onPick,
}: {
  range: DayRange;
  /** The first end of a range, until the viewer picks the other one. */
  start?: Day | undefined;
  /** The last valid day. */
  last: Day;
  /** True to focus the chosen day at first. */
  hasFocus?: boolean;
  onPick: (day: Day) => void;
}): ReactNode {
  const id = useId();
  /** The day with the tab stop. Another range moves it. */
  const [at, setAt] = useState({ range, day: range.last });
  const day = isSameRange(at.range, range) ? at.day : range.last;
  const [hovered, setHovered] = useState<Day>();
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(hasFocus);
  useEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  }, [day]);
  const show = (next: Day): void => setAt({ range, day: Math.max(FIRST_DAY, Math.min(last, next)) });
  const onKeyDown = (event: KeyboardEvent): void => {
    const months = event.shiftKey ? MONTHS : 1;
    const moves: Readonly<Record<string, Day>> = {
      ArrowLeft: day - 1,
      ArrowRight: day + 1,
      ArrowUp: day - WEEK,
      ArrowDown: day + WEEK,
      Home: day - weekdayOf(day),
      End: day - weekdayOf(day) + WEEK - 1,
      PageUp: addMonths(day, -months),
      PageDown: addMonths(day, months),
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    setHovered(undefined);
    show(next);
  };
  const pick = (each: Day): void => {
    if (each > last) return;
    show(each);
    onPick(each);
  };
  const shown = start === undefined ? range : rangeBetween(start, hovered ?? day);
  const weeks = weeksOfMonth(day);
  const step = (title: string, months: number): ReactNode => (
    <Button
      look="plain"
      className={styles.step}
      aria-label={title}
      disabled={months > 0 && weeksOfMonth(day).flat().includes(last)}
      onClick={() => show(addMonths(day, months))}
    >
      <svg width="8" height="12" aria-hidden="true">
        <path d={months < 0 ? "M7,1L2,6l5,5" : "M1,1l5,5L1,11"} />
      </svg>
    </Button>
  );
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        {step("Previous month", -1)}
        <span id={id} aria-live="polite">
          {monthOf(day)}
        </span>
        {step("Next month", 1)}
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between the days
        role="grid"
        aria-labelledby={id}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setHovered(undefined)}
      >
        <thead>
          <tr>
            {MONDAY_TO_SUNDAY.map(([short, long]) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: weeks keep their places
            <tr key={row}>
              {week.map((each, weekday) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: weekdays keep their places
                  key={weekday}
                  data-end={each === shown.first || each === shown.last || undefined}
                >
                  {each !== undefined && (
                    <button
                      type="button"
                      data-day={each}
                      tabIndex={each === day ? 0 : -1}
                      aria-label={fullDay(each)}
                      aria-pressed={each >= shown.first && each <= shown.last}
                      aria-disabled={each > last || undefined}
                      onPointerEnter={() => setHovered(Math.min(each, last))}
                      onClick={() => pick(each)}
                    >
                      {civilDate(each).day}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Any Monday, and the days after it. */
const MONDAY = 4;
const MONDAY_TO_SUNDAY = Array.from({ length: WEEK }, (_, index) => weekdayNames(MONDAY + index));
