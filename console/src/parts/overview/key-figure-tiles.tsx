import type { ReactNode } from "react";
import { type DayRange, daysIn, rangeBefore } from "../../model/days/day-range.js";
import { formatRange } from "../../model/days/format-day.js";
import { changeText, keyFiguresOf, valueText } from "../../model/figures/key-figures.js";
import type { OverviewDays } from "../../model/figures/overview-days.js";
import { Figure, Figures, figureLength } from "../../ui/elements/figures.js";
import styles from "./key-figure-tiles.module.css";

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
    <Figures
      label="Key figures"
      note={
        <>
          {formatRange(range)}; changes are against the {length === 1 ? "day" : `${length} days`} before,{" "}
          {formatRange(rangeBefore(range))}. Shares are of accepted messages, all days together. Days in Los
          Angeles time.
        </>
      }
    >
      {keyFiguresOf(days?.total, days?.before).map((figure) => {
        const text = valueText(figure);
        return (
          <Figure
            key={figure.title}
            title={figure.title}
            change={days === undefined ? "…" : (changeText(figure) ?? "no earlier data")}
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
