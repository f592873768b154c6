import type { ReactNode } from "react";
import { type DayRange, daysIn } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import {
  changeText,
  directionOf,
  keyFiguresOf,
  valueText,
  verdictOf,
} from "#console/model/figures/key-figures.js";
import type { OverviewDays } from "#console/model/figures/overview-days.js";
import { earlierRange } from "#console/model/view/chosen-range.js";
import { Figure, Figures, figureLength } from "#console/ui/elements/figures.js";
import { useView } from "#console/ui/view/use-view.js";
import { FigureTrend } from "./figure-trend.js";
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
