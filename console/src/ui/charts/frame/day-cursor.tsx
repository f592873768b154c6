import { type ReactNode, use, useEffect, useId, useMemo } from "react";
import { daysIn } from "#console/model/days/day-range.js";
import { formatPeriod, formatRange } from "#console/model/days/format-day.js";
import { type ChartDay, caveatsOf, type DayMark } from "#console/model/figures/chart-day.js";
import { readingsOf, type Series, wordsOf } from "#console/model/figures/series.js";
import type { Day } from "#src/model/day.js";
import type { Plot } from "../shapes/scales.js";
import styles from "./day-cursor.module.css";
import { DayTooltip } from "./day-tooltip.js";
import { DayActionsContext, useCursor } from "./use-cursor.js";

const NO_EVENTS: readonly DayMark[] = [];

/**
 * An overlay that shows values for one day, chosen by pointer or keys, or for several days, chosen by dragging or with
 * Shift. For assistive technology, it is a slider, and the values are its value text. Moving the cursor does not render
 * the chart again.
 */
export function DayCursor<C>({
  label,
  plot,
  rows,
  sum,
  series,
  marks,
  events = NO_EVENTS,
  hasSegments = false,
  onDay,
}: {
  label: string;
  plot: Plot;
  /** Days or, in a long range, weeks. */
  rows: readonly ChartDay<C>[];
  /** Adds up counts. */
  sum: (rows: readonly ChartDay<C>[]) => C;
  series: readonly Series<C>[];
  marks: readonly DayMark[];
  /** Events that users recorded. */
  events?: readonly DayMark[];
  /** True if each bar consists of segments, and each segment can be opened. */
  hasSegments?: boolean;
  /** Called when the cursor shows another day, or none. */
  onDay?: ((day: Day | undefined) => void) | undefined;
}): ReactNode {
  const { days, left, right, top, bottom } = plot;
  const { range } = days;
  const id = useId();
  const actions = use(DayActionsContext);
  const segments = useMemo(
    () => (hasSegments ? series.flatMap(({ key }) => key ?? []) : []),
    [hasSegments, series],
  );
  const cursor = useCursor(plot, actions, segments);
  const { chosen, end, isOne, segment, isShown, isTouched, handlers } = cursor;
  const { first, last } = chosen;
  const shownDay = isShown && isOne ? end : undefined;
  useEffect(() => onDay?.(shownDay), [onDay, shownDay]);

  const some = useMemo(() => rows.filter(({ day }) => day >= first && day <= last), [rows, first, last]);
  const readings = useMemo(
    () => (some.length === 0 ? undefined : readingsOf(series, sum(some))),
    [some, series, sum],
  );
  const [row] = some;
  const mark = isOne ? marks.find(({ day }) => day >= first && day <= last) : undefined;
  const title = isOne ? formatPeriod(chosen) : `${formatRange(chosen)}, ${daysIn(chosen)} days`;
  const start = days.left(first) - left;
  const length = days.left(last) + days.width(last) - days.left(first);
  const pointed = readings?.find(({ series: { key } }) => key !== undefined && key === segment);
  const words =
    readings === undefined ? "no entries" : (pointed ? [pointed] : readings).map(wordsOf).join(", ");
  const caveats = isOne && row !== undefined ? caveatsOf(row, series) : [];
  const recorded = isOne ? events.filter(({ day }) => day >= first && day <= last) : [];
  const notes = [...caveats, ...[...(mark === undefined ? [] : [mark]), ...recorded].map(({ text }) => text)];
  const bar = days.period === 1 ? "day" : "week";

  return (
    <>
      <div
        className={styles.cursor}
        style={{ left, width: right - left, top, height: bottom - top }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={actions && id}
        aria-valuemin={1}
        aria-valuemax={daysIn(range)}
        aria-valuenow={end - range.first + 1}
        aria-valuetext={[`${title}: ${words}`, ...notes].join(". ")}
        {...handlers}
      >
        {isShown && (
          <>
            <div className={styles.day} style={{ left: start, width: length }} />
            <DayTooltip
              title={title}
              readings={readings}
              pointed={pointed}
              notes={notes}
              hint={actions && hintOf(bar, isOne, isTouched, pointed?.series.title)}
              {...(length < (right - left) / 2
                ? { x: start + length / 2, reach: length / 2 }
                : { x: days.center(end) - left, reach: days.width(end) / 2 })}
              width={right - left}
            />
          </>
        )}
      </div>
      {actions && (
        <p id={id} hidden>
          Press Enter to open the labels for this {bar}.{" "}
          {segments.length > 1 && "Press the up and down arrow keys to choose an outcome for sorting. "}Press
          Shift and an arrow key to choose several {bar}s, and Enter to zoom in.
        </p>
      )}
    </>
  );
}

function hintOf(bar: "day" | "week", isOne: boolean, isTouched: boolean, category?: string): string {
  if (!isOne) return isTouched ? "Lift a finger to zoom in." : "Release or press Enter to zoom in.";
  const labels = `for the labels of this ${bar}${category === undefined ? "" : `, sorted by ${category}`}.`;
  return isTouched
    ? `Tap again ${labels} Two fingers zoom in.`
    : `Click or press Enter ${labels} Drag to zoom in.`;
}
