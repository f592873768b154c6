import { memo, type ReactNode, useMemo, useRef } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { longDay, shortDay } from "#console/model/days/format-day.js";
import { type ChartDay, deliveredShares, type ShareSpan, totalOf } from "#console/model/figures/chart-day.js";
import type { LabelRow } from "#console/model/figures/label-row.js";
import { seriesOf } from "#console/model/figures/series.js";
import { OUTCOMES, shareOf } from "#console/model/numbers/categories.js";
import { formatPercent, formatWholePercent } from "#console/model/numbers/format-number.js";
import { ChartMenu } from "#console/ui/charts/card/chart-menu.js";
import { DayCursor } from "#console/ui/charts/frame/day-cursor.js";
import { Drawing, DrawingArea, useWidth } from "#console/ui/charts/frame/drawing.js";
import { dayScaleOf, type Plot } from "#console/ui/charts/shapes/scales.js";
import { Sparkline } from "#console/ui/charts/sparkline.js";
import { chartFileOf } from "#console/ui/files/files.js";
import { labelText } from "#src/presentation/field-text.js";
import { LabelName } from "../label-name.js";
import styles from "./small-multiple.module.css";

/** Sizes in pixels. */
const HEIGHT = 104;
const TOP = 8;
const BOTTOM = HEIGHT - 20;
const VALUES_WIDTH = 40;

const DELIVERED = seriesOf(OUTCOMES).slice(0, 1);

/** One label's delivered share by day. */
export const SmallMultiple = memo(function SmallMultiple({
  row: { label, counts },
  days,
  selection,
  span,
}: {
  row: LabelRow;
  /** Undefined while loading. */
  days: readonly ChartDay[] | undefined;
  selection: EntriesSelection;
  span: ShareSpan;
}): ReactNode {
  const { range } = selection;
  const [box, width] = useWidth<HTMLDivElement>();
  const svg = useRef<SVGSVGElement>(null);
  const plot = useMemo((): Plot => {
    const right = Math.max(VALUES_WIDTH + 1, width - 1);
    return {
      left: VALUES_WIDTH,
      right,
      top: TOP,
      bottom: BOTTOM,
      days: dayScaleOf(range, VALUES_WIDTH, right),
    };
  }, [width, range]);
  const shares = useMemo(() => deliveredShares(days ?? []), [days]);
  const title = `Delivered share of ${labelText(label)} by day`;
  return (
    <figure className={styles.multiple} aria-label={title}>
      <figcaption>
        <LabelName label={label} />
        <span className={styles.share}>{formatPercent(shareOf(counts, OUTCOMES, "delivered"))}</span>
        <ChartMenu
          svg={svg}
          title={title}
          file={chartFileOf(`delivered-${label || "no-label"}`, selection)}
        />
      </figcaption>
      <DrawingArea ref={box} height={HEIGHT}>
        {width > 0 && (
          <>
            <Drawing ref={svg} width={width} height={HEIGHT}>
              <Scale plot={plot} span={span} />
              <Sparkline shares={shares} days={plot.days} span={span} top={TOP} bottom={BOTTOM} />
            </Drawing>
            {days && (
              <DayCursor label={title} plot={plot} rows={days} sum={totalOf} series={DELIVERED} marks={[]} />
            )}
          </>
        )}
      </DrawingArea>
    </figure>
  );
});

/** The ends of both axes. */
function Scale({
  plot: { left, right, top, bottom, days },
  span,
}: {
  plot: Plot;
  span: ShareSpan;
}): ReactNode {
  const nameOf = days.period === 1 ? shortDay : longDay;
  return (
    <g className={styles.scale}>
      {[
        { share: span.most, y: top },
        { share: span.least, y: bottom },
      ].map(({ share, y }) => (
        <g key={share}>
          <line x1={left} x2={right} y1={y} y2={y} />
          <text x={left - 6} y={y} dominantBaseline="middle" textAnchor="end">
            {formatWholePercent(share)}
          </text>
        </g>
      ))}
      <text x={left} y={HEIGHT - 4}>
        {nameOf(days.range.first)}
      </text>
      <text x={right} y={HEIGHT - 4} textAnchor="end">
        {nameOf(days.range.last)}
      </text>
    </g>
  );
}
