import { type CSSProperties, type ReactNode, useId, useMemo } from "react";
import { coverageText, rangeWithCoverage } from "#console/model/days/coverage.js";
import { chartRange, type DayRange, daysIn } from "#console/model/days/day-range.js";
import { formatRange, longDay, shortDay } from "#console/model/days/format-day.js";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import {
  type ComparedDays,
  changeText,
  directionOf,
  type KeyFigure,
  keyFiguresOf,
  trendOf,
  valueText,
  verdictOf,
} from "#console/model/figures/key-figures.js";
import type { OverviewDays } from "#console/model/figures/overview-days.js";
import { earlierRange } from "#console/model/view/chosen-range.js";
import { useWidth } from "#console/ui/charts/frame/drawing.js";
import { dayScaleOf } from "#console/ui/charts/shapes/scales.js";
import { Sparkline } from "#console/ui/charts/sparkline.js";
import { useView } from "#console/ui/view/use-view.js";
import type { Day } from "#src/model/day.js";
import styles from "./key-figure-tiles.module.css";

/** Key figures for a range, with their changes and small charts. */
export function KeyFigureTiles({
  range,
  days,
  compared,
  start,
}: {
  range: DayRange;
  days: OverviewDays | undefined;
  /** Undefined while incidents load: changes have no verdict without them. */
  compared: ComparedDays | undefined;
  /** First day with messages of the chosen labels, if it is one of the compared days. */
  start: Day | undefined;
}): ReactNode {
  const { earlier } = useView();
  const areAlike = days === undefined || isAlike(days);
  return (
    <Figures label="Key figures" note={noteOf(days, days?.earlier ?? earlierRange(range, earlier), start)}>
      {keyFiguresOf(days?.total, days?.before, areAlike).map((figure) => {
        const text = valueText(figure);
        return (
          <Figure
            key={figure.title}
            title={figure.title}
            change={days === undefined ? "…" : (changeText(figure) ?? gapText(days, start))}
            direction={directionOf(figure)}
            verdict={compared && verdictOf(figure, compared)}
            trend={<FigureTrend figure={figure} range={chartRange(range)} rows={days?.chartRows} />}
          >
            <FigureValue text={text} />
          </Figure>
        );
      })}
    </Figures>
  );
}

/** States the ranges, and how far they have data. */
function noteOf(days: OverviewDays | undefined, earlier: DayRange, start: Day | undefined): string {
  const coverage = days && coverageText(days.range, days.rows.length);
  return [
    ...(start === undefined ? [] : [`The first messages with the chosen labels are from ${longDay(start)}.`]),
    `Compared with ${days === undefined ? formatRange(earlier) : rangeWithCoverage(earlier, days.earlierRows.length)}.`,
    ...(coverage === undefined ? [] : [`In this range, ${coverage}.`]),
    "Percentages are of accepted messages.",
  ].join(" ");
}

const isAlike = ({ rows, earlierRows }: OverviewDays): boolean => rows.length === earlierRows.length;

/** Explains briefly why a figure has no change. */
function gapText(days: OverviewDays, start: Day | undefined): string {
  const { range, earlier, rows, earlierRows } = days;
  const daysBefore = earlierRows.length;
  if (daysBefore === 0 && start !== undefined) return `new since ${shortDay(start)}`;
  if (daysBefore === 0 || isAlike(days)) return "no earlier data";
  return rows.length < daysIn(range)
    ? `${rows.length} of ${daysIn(range)} days`
    : `${daysBefore} of ${daysIn(earlier)} earlier days`;
}

/** A row of figures, with a note below. */
export function Figures({
  label,
  heading,
  note,
  children,
}: {
  /** Name for assistive technology, if there is no heading. */
  label?: string;
  heading?: ReactNode;
  note: ReactNode;
  /** A {@link Figure} for each. */
  children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section
      className={styles.section}
      aria-label={label}
      aria-labelledby={heading === undefined ? undefined : id}
    >
      {heading !== undefined && <h2 id={id}>{heading}</h2>}
      <dl>{children}</dl>
      <p className="soft small">{note}</p>
    </section>
  );
}

export function Figure({
  title,
  change,
  direction,
  verdict,
  trend,
  children,
}: {
  title: string;
  /** Undefined if the figure is compared with nothing. */
  change?: string;
  direction?: "up" | "down" | undefined;
  /** Omitted if the change is neither. */
  verdict?: "better" | "worse" | undefined;
  /** A small chart by day. */
  trend?: ReactNode;
  /** The values, each in a `dd`. */
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.figure}>
      <dt>{title}</dt>
      {children}
      {change !== undefined && (
        <dd className={styles.change} data-direction={direction} data-verdict={verdict}>
          {/* A changed text creates a new element, so that it is placed next to the arrow again. */}
          <span key={change} data-change>
            {change}
          </span>
          {verdict !== undefined && `, ${verdict}`}
        </dd>
      )}
      {trend !== undefined && <dd className={styles.trend}>{trend}</dd>}
    </div>
  );
}

/** A figure's only value. */
export const FigureValue = ({ text }: { text: string }): ReactNode => (
  <dd className={styles.value} style={figureLength(text)}>
    {text}
  </dd>
);

/** Passes a figure's length to the style sheet, so that long figures fit their tile. */
const figureLength = (text: string): CSSProperties => ({ ["--length" as string]: text.length });

/** Sizes in pixels. */
const HEIGHT = 28;
const MARGIN = 3;
/** Minimum height of a share's scale, in percentage points, so that random changes look small. */
const MIN_POINTS = 10;

/** A key figure by day, without axes. The charts below show the numbers. */
export function FigureTrend({
  figure,
  range,
  rows,
}: {
  figure: KeyFigure;
  range: DayRange;
  /** Undefined while loading. */
  rows: readonly ChartDay[] | undefined;
}): ReactNode {
  const { of } = figure;
  const { first, last } = range;
  const [box, width] = useWidth<HTMLDivElement>();
  const days = useMemo(
    () => dayScaleOf({ first, last }, MARGIN, Math.max(MARGIN, width - MARGIN)),
    [first, last, width],
  );
  const values = trendOf(figure, rows ?? [], range);
  const known = values.flatMap(({ share }) => share ?? []);
  const most = Math.max(0, ...known);
  const least = of === undefined ? 0 : Math.max(0, Math.min(...known, most - MIN_POINTS));
  return (
    <div ref={box} className={styles.drawing}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <Sparkline
          shares={values}
          days={days}
          span={{ least, most: of === undefined ? most : Math.max(most, least + MIN_POINTS) }}
          top={MARGIN}
          bottom={HEIGHT - MARGIN}
        />
      </svg>
    </div>
  );
}
