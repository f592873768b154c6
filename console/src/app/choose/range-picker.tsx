import type { ReactNode } from "react";
import type { Day } from "../../../../src/model/day.js";
import type { DayRange } from "../../model/days/day-range.js";
import { type ChosenRange, RECENT_DAYS } from "../../model/view/view.js";
import { DateFields } from "../../ui/choose/date-fields.js";
import { Segments } from "../../ui/choose/segments.js";
import { changeView } from "../../ui/view/use-view.js";
import styles from "./range-picker.module.css";

/** Chooses the days: the most recent ones, or a range between two dates. */
export function RangePicker({
  chosen,
  range,
  listed,
}: {
  chosen: ChosenRange;
  /** The days that the choice currently stands for. */
  range: DayRange;
  listed: Day;
}): ReactNode {
  return (
    <fieldset className={styles.range}>
      <legend className="label">Days, in Los Angeles time</legend>
      <Segments
        segments={[
          ...RECENT_DAYS.map((days) => ({
            title: `${days} days`,
            isChosen: chosen.kind === "recent" && chosen.days === days,
            choose: () => changeView({ range: { kind: "recent", days } }),
          })),
          {
            title: "Own",
            isChosen: chosen.kind === "own",
            choose: () => changeView({ range: { kind: "own", range } }),
          },
        ]}
      />
      <DateFields
        range={range}
        last={listed}
        onChange={(own, how) => changeView({ range: { kind: "own", range: own } }, how)}
      />
    </fieldset>
  );
}
