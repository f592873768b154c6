import { type ReactNode, type RefObject, use, useMemo } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import type { ChartDay, DayMark } from "#console/model/figures/chart-day.js";
import type { Series } from "#console/model/figures/series.js";
import type { Counts } from "#console/model/numbers/counts.js";
import type { Day } from "#src/model/day.js";
import { type Plot, plotOf } from "../shapes/scales.js";
import { DayAxis } from "./axes.js";
import { DayCursor } from "./day-cursor.js";
import { DayHighlight, DayMarks, DayShades, IncompleteWeeks } from "./day-marks.js";
import { DayNotes, DayNotesContext } from "./day-notes.js";
import { Drawing, DrawingArea, useWidth } from "./drawing.js";

/** Properties common to all charts by day. */
export interface DayChartProps<C = Counts> {
  /** Chart name for assistive technology. */
  readonly label: string;
  /** Days or, in a long range, weeks. */
  readonly rows: readonly ChartDay<C>[];
  /** Adds up counts. */
  readonly sum: (rows: readonly ChartDay<C>[]) => C;
  readonly series: readonly Series<C>[];
  /** Days on the horizontal axis. Rows outside the range are not drawn. */
  readonly range: DayRange;
  /** Fixed height in pixels. */
  readonly height: number;
  /** The drawing, for saving it as an image. */
  readonly svg?: RefObject<SVGSVGElement | null> | undefined;
  /** Days to highlight. */
  readonly marks?: readonly DayMark[] | undefined;
  /** True to name incidents where they begin. */
  readonly namesMarks?: boolean;
  /** The chosen days. Undefined if all days are chosen. */
  readonly chosen?: DayRange | undefined;
  /** Called when the cursor shows another day, or none. */
  readonly onDay?: (day: Day | undefined) => void;
}

const NO_MARKS: readonly DayMark[] = [];

/** A chart that fills the available width, with day axis, marks and cursor. */
export function ChartFrame<C>({
  label,
  rows,
  sum,
  range,
  height,
  svg,
  marks = NO_MARKS,
  namesMarks = false,
  chosen,
  series,
  onDay,
  hasSegments = false,
  children,
}: DayChartProps<C> & {
  /** True if the series are stacked, last one at the bottom, and each segment can be opened. */
  hasSegments?: boolean;
  /** Draws the rows. */
  children: (plot: Plot, rows: readonly ChartDay<C>[]) => ReactNode;
}): ReactNode {
  const [ref, width] = useWidth<HTMLDivElement>();
  const { first, last } = range;
  const plot = useMemo(() => plotOf(width, height, { first, last }), [width, height, first, last]);
  const shown = useMemo(() => rows.filter(({ day }) => day >= first && day <= last), [rows, first, last]);
  const shownMarks = marks.filter(({ day }) => day >= first && day <= last);
  const notes = use(DayNotesContext).filter(({ day }) => day >= first && day <= last);
  return (
    <DrawingArea ref={ref} height={height}>
      {width > 0 && (
        <>
          <Drawing ref={svg} width={width} height={height}>
            <DayShades plot={plot} marks={shownMarks} />
            {chosen !== undefined && <DayHighlight plot={plot} range={chosen} />}
            {children(plot, shown)}
            <DayAxis plot={plot} />
            <IncompleteWeeks plot={plot} rows={shown} />
            <DayNotes plot={plot} notes={notes} hasNames={namesMarks} />
            <DayMarks plot={plot} marks={shownMarks} hasNames={namesMarks} />
          </Drawing>
          <DayCursor
            label={label}
            plot={plot}
            rows={shown}
            sum={sum}
            series={series}
            marks={shownMarks}
            events={notes}
            hasSegments={hasSegments}
            onDay={onDay}
          />
        </>
      )}
    </DrawingArea>
  );
}
