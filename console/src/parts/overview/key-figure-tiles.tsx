import { type CSSProperties, type ReactNode, useId, useMemo } from "react";
import { type DayRange, daysIn } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { type ChartDay, rowsByPeriod, totalOf } from "#console/model/figures/chart-day.js";
import {
  changeText,
  directionOf,
  type KeyFigure,
  keyFiguresOf,
  valueText,
  verdictOf,
} from "#console/model/figures/key-figures.js";
import type { OverviewDays } from "#console/model/figures/overview-days.js";
import { earlierRange } from "#console/model/view/chosen-range.js";
import { useWidth } from "#console/ui/charts/frame/drawing.js";
import { dayScaleOf } from "#console/ui/charts/shapes/scales.js";
import { Sparkline } from "#console/ui/charts/sparkline.js";
import { useView } from "#console/ui/view/use-view.js";
import styles from "./key-figure-tiles.module.css";

/** The key figures of a range, with their changes and their days. */
export function KeyFigureTiles({
  range,
  days,
}: {
  range: DayRange;
  days: OverviewDays | undefined;
}): ReactNode {
  const { earlier } = useView();
  const areAlike = days === undefined || isAlike(days);
  return (
    <Figures
      label="Key figures"
      note={
        <>
          Changes are against {formatRange(days?.earlier ?? earlierRange(range, earlier))}. Shares are of
          accepted messages.
        </>
      }
    >
      {keyFiguresOf(days?.total, days?.before, areAlike).map((figure) => {
        const text = valueText(figure);
        return (
          <Figure
            key={figure.title}
            title={figure.title}
            change={days === undefined ? "…" : (changeText(figure) ?? gapText(days))}
            direction={directionOf(figure)}
            verdict={verdictOf(figure)}
            trend={<FigureTrend figure={figure} range={range} rows={days?.rows} />}
          >
            <dd className={styles.value} style={figureLength(text)}>
              {text}
            </dd>
          </Figure>
        );
      })}
    </Figures>
  );
}

const isAlike = ({ rows, daysBefore }: OverviewDays): boolean => rows.length === daysBefore;

/** Why a figure has no change, as short as the change that it stands for. */
function gapText(days: OverviewDays): string {
  const { range, earlier, rows, daysBefore } = days;
  if (daysBefore === 0 || isAlike(days)) return "no earlier data";
  return rows.length < daysIn(range)
    ? `${rows.length} of ${daysIn(range)} days`
    : `${daysBefore} of ${daysIn(earlier)} earlier days`;
}

/** A row of figures, with a note below it. */
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

/** A figure with its title and its change. */
export function Figure({
  title,
  change,
  direction,
  verdict,
  trend,
  children,
}: {
  title: string;
  change: string;
  /** Direction of the change, drawn beside it. */
  direction?: "up" | "down" | undefined;
  /** Says whether the change is good, if it is good or bad. */
  verdict?: "better" | "worse" | undefined;
  /** A small drawing of the days. */
  trend?: ReactNode;
  /** The values, each in a `dd`. */
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.figure}>
      <dt>{title}</dt>
      {children}
      <dd className={styles.change} data-direction={direction} data-verdict={verdict}>
        {/* Another element for another text, which has its own place beside the arrow. */}
        <span key={change} data-change>
          {change}
        </span>
        {verdict !== undefined && `, ${verdict}`}
      </dd>
      {trend !== undefined && <dd className={styles.trend}>{trend}</dd>}
    </div>
  );
}

/** Passes the length of a figure to the style sheet, which sets long figures smaller to fit their tile. */
export const figureLength = (text: string): CSSProperties => ({ ["--length" as string]: text.length });

/** Sizes in pixels. */
const HEIGHT = 28;
const MARGIN = 3;
/** Least height of the scale of a share, in percentage points: chance looks small. */
const MIN_POINTS = 10;

/** A key figure by day, without axes. The charts below have the numbers. */
export function FigureTrend({
  figure: { of, valueIn },
  range,
  rows,
}: {
  figure: KeyFigure;
  range: DayRange;
  /** Undefined while loading. */
  rows: readonly ChartDay[] | undefined;
}): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>();
  const days = useMemo(() => dayScaleOf(range, MARGIN, Math.max(MARGIN, width - MARGIN)), [range, width]);
  const values = rowsByPeriod(rows ?? [], range, totalOf).map(({ day, counts }) => ({
    day,
    share: valueIn(counts),
  }));
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
