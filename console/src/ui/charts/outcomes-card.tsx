import type { ReactNode } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import type { ChartDay, DayMark } from "#console/model/figures/chart-day.js";
import { seriesOf } from "#console/model/figures/series.js";
import { OUTCOMES } from "#console/model/numbers/categories.js";
import { Segments } from "../choose/controls.js";
import type { ChartFile } from "../files/files.js";
import { changeView, useView } from "../view/use-view.js";
import { ChartCard } from "./card/chart-card.js";
import styles from "./outcomes-card.module.css";
import { StackedChart } from "./stacked-chart.js";

const ALL = seriesOf(OUTCOMES);
const UNDELIVERED = ALL.filter(({ key }) => key !== "delivered");

/** The outcomes chart: of undelivered or all messages, as percentages or counts. */
export function OutcomesCard(card: {
  file: ChartFile;
  range: DayRange;
  /** Days in the range. Undefined while loading. */
  rows: readonly ChartDay[] | undefined;
  marks?: readonly DayMark[] | undefined;
  /** The chosen days. Undefined if all days are chosen. */
  chosen?: DayRange | undefined;
  /** Chart height in pixels. */
  height: number;
}): ReactNode {
  const { isUndelivered, asCounts } = useView();
  return (
    <ChartCard
      {...card}
      title={OUTCOMES.title}
      lead={`Outcomes of ${isUndelivered ? "undelivered" : "accepted"} messages${asCounts ? "." : `, in percent ${OUTCOMES.of}.`}`}
      series={isUndelivered ? UNDELIVERED : ALL}
      of={OUTCOMES.of}
      isStacked
      controls={
        <div className={styles.controls}>
          <Segments
            legend="Outcomes chart: messages"
            segments={[
              {
                title: "Undelivered only",
                isChosen: isUndelivered,
                choose: () => changeView({ isUndelivered: true }, "replace"),
              },
              {
                title: "All",
                isChosen: !isUndelivered,
                choose: () => changeView({ isUndelivered: false }, "replace"),
              },
            ]}
          />
          <Segments
            legend="Outcomes chart: scale"
            segments={[
              {
                title: "Percent",
                isChosen: !asCounts,
                choose: () => changeView({ asCounts: false }, "replace"),
              },
              {
                title: "Messages",
                isChosen: asCounts,
                choose: () => changeView({ asCounts: true }, "replace"),
              },
            ]}
          />
        </div>
      }
      draw={(chart) => <StackedChart {...chart} asCounts={asCounts} hasSegments />}
    />
  );
}
