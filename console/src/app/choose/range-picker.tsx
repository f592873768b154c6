import type { ReactNode } from "react";
import type { Day } from "../../../../src/model/day.js";
import type { DayRange } from "../../model/days/day-range.js";
import { type ChosenRange, RECENT_DAYS } from "../../model/view/view.js";
import { DateFields } from "../../ui/choose/date-fields.js";
import { changeView } from "../../ui/view/use-view.js";

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
    <fieldset className="range">
      <legend className="label">Days, in Los Angeles time</legend>
      <div className="segments">
        {RECENT_DAYS.map((days) => (
          <button
            key={days}
            type="button"
            aria-pressed={chosen.kind === "recent" && chosen.days === days}
            onClick={() => changeView({ range: { kind: "recent", days } })}
          >
            {days} days
          </button>
        ))}
        <button
          type="button"
          aria-pressed={chosen.kind === "own"}
          onClick={() => changeView({ range: { kind: "own", range } })}
        >
          Own
        </button>
      </div>
      <DateFields
        range={range}
        last={listed}
        onChange={(own, how) => changeView({ range: { kind: "own", range: own } }, how)}
      />
    </fieldset>
  );
}
