import { type ReactNode, useId, useMemo, useRef, useState } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { chartRange } from "#console/model/days/day-range.js";
import type { Annotation } from "#console/model/figures/annotation.js";
import {
  type ChartDay,
  type DayMark,
  type DayShare,
  deliveredShares,
  rowsByPeriod,
  shareSpanOf,
  totalOf,
} from "#console/model/figures/chart-day.js";
import { type Incident, isAbout } from "#console/model/figures/incident.js";
import type { OverviewDays } from "#console/model/figures/overview-days.js";
import { type Look, type Series, seriesOf } from "#console/model/figures/series.js";
import { type Band, type BandOfDays, bandsOf } from "#console/model/figures/usual-band.js";
import { OUTCOMES } from "#console/model/numbers/categories.js";
import { formatPercent, formatWholePercent } from "#console/model/numbers/format-number.js";
import type { LegendLine } from "#console/ui/charts/card/chart-drawing.js";
import { ChartMenu } from "#console/ui/charts/card/chart-menu.js";
import { ChartTable } from "#console/ui/charts/card/chart-table.js";
import { ValueAxis } from "#console/ui/charts/frame/axes.js";
import { ChartFrame, type DayChartProps } from "#console/ui/charts/frame/chart-frame.js";
import { type LinePoint, linePath, pointsPath } from "#console/ui/charts/shapes/paths.js";
import { type Plot, valueScaleOf } from "#console/ui/charts/shapes/scales.js";
import { Swatch } from "#console/ui/charts/shapes/swatch.js";
import { Card } from "#console/ui/elements/card.js";
import { chartFileOf } from "#console/ui/files/files.js";
import { Skeleton } from "#console/ui/states/loaded.js";
import { labelText } from "#src/presentation/field-text.js";
import { useTargetDialog } from "../targets/use-target-dialog.js";
import { useAnnotationsDialog } from "./annotations/use-annotations-dialog.js";
import styles from "./delivered-card.module.css";
import { type BlamedLabel, useBlamedLabels } from "./use-blamed-labels.js";

const TITLE = "Delivered share";
const HEIGHT = 190;

const LINE: Look = { color: "--delivered", mark: "circle" };
const TARGET: Look = { color: "--ink-soft", mark: "solid" };
const BAND: Look = { color: "--usual", mark: "solid" };
/** The chart's only series. */
export const DELIVERED: readonly Series[] = seriesOf(OUTCOMES)
  .slice(0, 1)
  .map((series) => ({ ...series, look: LINE }));

/** The delivered share by day, with its usual band and incidents. */
export function DeliveredCard({
  selection,
  days,
  usual,
  incidents,
  marks,
  annotations,
}: {
  selection: EntriesSelection;
  /** Undefined while loading. */
  days: OverviewDays | undefined;
  /** The usual band on days without incidents. */
  usual: Band | undefined;
  /** Incidents on any of the days. Undefined while loading, or if they could not be read. */
  incidents: readonly Incident[] | undefined;
  marks: readonly DayMark[] | undefined;
  annotations: readonly Annotation[];
}): ReactNode {
  const { labels } = selection;
  const range = useMemo(() => chartRange(selection.range), [selection.range]);
  const chosen = range === selection.range ? undefined : selection.range;
  const [asTable, setAsTable] = useState(false);
  const annotationsDialog = useAnnotationsDialog(selection, annotations);
  const svg = useRef<SVGSVGElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const id = useId();
  const targetDialog = useTargetDialog(selection);
  const target = targetDialog.target?.delivered;
  const bands = useMemo(
    () => bandsOf(range, usual, incidents?.filter(isAbout(labels)) ?? []),
    [range, usual, incidents, labels],
  );
  const rows = useMemo(() => rowsByPeriod(days?.chartRows ?? [], range, totalOf), [days, range]);
  const { blamed, pointAt } = useBlamedLabels(selection, range, incidents);
  return (
    <Card labelledBy={id} className={styles.card}>
      <header className={styles.head}>
        <h2 id={id}>{TITLE}</h2>
        <ul ref={legend} className={styles.legend}>
          <li>
            <Swatch look={LINE} />
            <span>Delivered</span>
          </li>
          {bands.length > 0 && (
            <li>
              <Swatch look={BAND} />
              <span>Usual{usual && `: ${formatPercent(usual.low)} to ${formatPercent(usual.high)}`}</span>
            </li>
          )}
          {target !== undefined && (
            <li>
              <Swatch look={TARGET} />
              <span>Target: {formatPercent(target)}</span>
            </li>
          )}
        </ul>
        <div className={styles.menu}>
          <ChartMenu
            svg={svg}
            title={TITLE}
            file={chartFileOf("delivered", { ...selection, range })}
            label="delivered"
            legend={() => linesOf(legend.current)}
            form={{ isTable: asTable, isReady: days !== undefined, onChange: setAsTable }}
          >
            <button type="button" data-closes onClick={annotationsDialog.open}>
              Annotations
            </button>
            {targetDialog.open && (
              <button type="button" data-closes onClick={targetDialog.open}>
                Target
              </button>
            )}
          </ChartMenu>
        </div>
      </header>
      <figure aria-labelledby={id}>
        {days === undefined ? (
          <Skeleton height={HEIGHT} silent />
        ) : asTable ? (
          <ChartTable
            title={TITLE}
            range={range}
            rows={rows}
            total={totalOf(days.chartRows)}
            series={DELIVERED}
            marks={marks}
            height={HEIGHT}
          />
        ) : (
          <DeliveredChart
            label={`${TITLE}, by day`}
            rows={rows}
            sum={totalOf}
            range={range}
            series={DELIVERED}
            bands={bands}
            target={target}
            blamed={blamed}
            onDay={pointAt}
            marks={marks}
            namesMarks
            chosen={chosen}
            height={HEIGHT}
            svg={svg}
          />
        )}
      </figure>
      {annotationsDialog.announcement}
      {targetDialog.announcement}
      {annotationsDialog.shown}
      {targetDialog.shown}
    </Card>
  );
}

const linesOf = (legend: HTMLUListElement | null): readonly LegendLine[] =>
  [...(legend?.children ?? [])].flatMap((line) => {
    const swatch = line.querySelector("svg");
    return swatch === null ? [] : [{ swatch, text: line.textContent }];
  });

const NONE_BLAMED: readonly BlamedLabel[] = [];

/** The delivered share by day over its usual band, with its target. The scale begins below all of them. */
export function DeliveredChart({
  bands,
  target,
  blamed = NONE_BLAMED,
  series,
  ...chart
}: DayChartProps & {
  bands: readonly BandOfDays[];
  blamed?: readonly BlamedLabel[];
  /** The share to reach, in percent. */
  target?: number | undefined;
  series: readonly Series[];
}): ReactNode {
  return (
    <ChartFrame {...chart} series={series}>
      {(plot, rows) => <Line plot={plot} rows={rows} bands={bands} target={target} blamed={blamed} />}
    </ChartFrame>
  );
}

function Line({
  plot,
  rows,
  bands,
  target,
  blamed,
}: {
  plot: Plot;
  rows: readonly ChartDay[];
  bands: readonly BandOfDays[];
  target: number | undefined;
  blamed: readonly BlamedLabel[];
}): ReactNode {
  const { days, left, right, top, bottom } = plot;
  const shares = deliveredShares(rows);
  const lowest = bands.map(({ low }) => low);
  const ofLabels = blamed.map((each) => ({ ...each, shares: deliveredShares(each.rows) }));
  // Includes the labels while they are hidden, so that the scale stays the same.
  const all = [shares, ...ofLabels.map((each) => each.shares)].flat();
  const { least, most } = shareSpanOf([...all.map(({ share }) => share), ...lowest, target]);
  const scale = valueScaleOf(most, top, bottom, most, least);
  const pointsOf = (some: readonly DayShare[]): readonly LinePoint[] =>
    some.map(({ day, share }) => ({ day, y: share === undefined ? undefined : scale.y(share) }));
  const points = pointsOf(shares);
  return (
    <>
      {bands.map(({ range: { first, last }, low, high }) => (
        <rect
          key={first}
          className={styles.band}
          x={days.start(first)}
          width={days.start(last + 1) - days.start(first)}
          y={scale.y(high)}
          height={scale.y(low) - scale.y(high)}
        />
      ))}
      <ValueAxis plot={plot} scale={scale} format={formatWholePercent} />
      {target !== undefined && (
        <line
          className={styles.target}
          x1={left}
          x2={right}
          y1={scale.y(target)}
          y2={scale.y(target)}
          data-target
        />
      )}
      <path className={styles.line} d={linePath(points, days)} />
      <path className={styles.points} d={pointsPath(points, days, "circle")} />
      {ofLabels
        .filter(({ isShown }) => isShown)
        .map(({ label, shares: own }) => (
          <g key={label} className={styles.blamed} data-label={label}>
            <path d={linePath(pointsOf(own), days)} />
            <text x={right} y={bottom - 6} textAnchor="end">
              {labelText(label)}
            </text>
          </g>
        ))}
    </>
  );
}
