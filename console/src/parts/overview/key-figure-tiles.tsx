import type { ReactNode } from "react";
import { type DayRange, daysIn, rangeBefore } from "../../model/days/day-range.js";
import { formatRange } from "../../model/days/format-day.js";
import { type KeyFigure, keyFiguresOf } from "../../model/figures/key-figures.js";
import type { OverviewDays } from "../../model/figures/overview-days.js";
import { formatChange, formatCount, formatPercent, formatPoints } from "../../model/numbers/format-number.js";
import { figureLength } from "./figure-length.js";

/** The key figures of a range, with their changes. */
export function KeyFigureTiles({
  range,
  days,
}: {
  range: DayRange;
  days: OverviewDays | undefined;
}): ReactNode {
  const length = daysIn(range);
  return (
    <section className="key-figures" aria-label="Key figures">
      <dl>
        {keyFiguresOf(days?.total, days?.before).map((figure) => (
          <div key={figure.title} className="key-figure">
            <dt>{figure.title}</dt>
            <dd className="key-figure-value" style={figureLength(textOf(figure))}>
              {textOf(figure)}
            </dd>
            <dd className="key-figure-change">{days === undefined ? "…" : changeOf(figure)}</dd>
          </div>
        ))}
      </dl>
      <p className="soft small">
        {formatRange(range)}; changes are against the {length === 1 ? "day" : `${length} days`} before,{" "}
        {formatRange(rangeBefore(range))}. Shares are of accepted messages, all days together. Days in Los
        Angeles time.
      </p>
    </section>
  );
}

function textOf({ value, of }: KeyFigure): string {
  if (value === undefined) return "–";
  return of === undefined ? formatCount(value) : formatPercent(value);
}

function changeOf({ change, of }: KeyFigure): string {
  if (change === undefined) return "no earlier data";
  return of === undefined ? formatChange(change) : formatPoints(change);
}
