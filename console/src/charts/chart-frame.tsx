import { type ReactNode, type RefObject, useMemo } from "react";
import type { DayRange } from "../days/day-range.js";
import { DayAxis } from "./axes.js";
import type { ChartDay, DayMark } from "./chart-day.js";
import { DayCursor } from "./day-cursor.js";
import { DayMarks } from "./day-marks.js";
import { type Plot, plotOf } from "./plot.js";
import type { Series } from "./series.js";
import { useWidth } from "./use-width.js";

/** What every chart by day is given. */
export interface DayChartProps {
  /** The name of the chart for assistive technology. */
  readonly label: string;
  readonly rows: readonly ChartDay[];
  /** The days of the horizontal axis. Rows of other days are not drawn. */
  readonly range: DayRange;
  /** In pixels, whatever comes. */
  readonly height: number;
  /** The drawing, to be saved as a picture. */
  readonly svg?: RefObject<SVGSVGElement | null> | undefined;
  /** Days to point out. */
  readonly marks?: readonly DayMark[] | undefined;
}

const NO_MARKS: readonly DayMark[] = [];

/** The axis of days, the marks and the cursor of a chart that is as wide as there is room for. */
export function ChartFrame({
  label,
  rows,
  range,
  height,
  svg,
  marks = NO_MARKS,
  series,
  children,
}: DayChartProps & {
  series: readonly Series[];
  /** Draws rows of the range. */
  children: (plot: Plot, rows: readonly ChartDay[]) => ReactNode;
}): ReactNode {
  const [ref, width] = useWidth<HTMLDivElement>();
  const { first, last } = range;
  const plot = useMemo(() => plotOf(width, height, { first, last }), [width, height, first, last]);
  const shown = useMemo(() => rows.filter(({ day }) => day >= first && day <= last), [rows, first, last]);
  const shownMarks = marks.filter(({ day }) => day >= first && day <= last);
  return (
    <div className="chart" ref={ref} style={{ height }}>
      {width > 0 && (
        <>
          {/* The cursor and the table say the same in words. */}
          <svg
            ref={svg}
            className="chart-drawing"
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            aria-hidden="true"
          >
            {children(plot, shown)}
            <DayAxis plot={plot} />
            <DayMarks plot={plot} marks={shownMarks} />
          </svg>
          <DayCursor label={label} plot={plot} rows={shown} series={series} marks={shownMarks} />
        </>
      )}
    </div>
  );
}
