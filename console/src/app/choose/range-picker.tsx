import type { ReactNode } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { EARLIER, EARLIER_TITLES, type Earlier } from "#console/model/view/chosen-range.js";
import { Segments } from "#console/ui/choose/controls.js";
import { RangeField } from "#console/ui/choose/days/range-field.js";
import { changeView } from "#console/ui/view/use-view.js";
import type { Day } from "#src/model/day.js";
import { type ChosenRange, PRESETS, type Preset, RECENT_DAYS } from "#src/presentation/chosen-range.js";
import styles from "./range-picker.module.css";

const PRESET_TITLES: Readonly<Record<Preset, string>> = {
  yesterday: "Yesterday",
  "this-month": "This month",
  "last-month": "Last month",
  "12-months": "12 months",
};

/** Ranges with a name, from the shortest one. */
const NAMED: readonly { readonly title: string; readonly chosen: ChosenRange }[] = [
  ...RECENT_DAYS.map((days) => ({ title: `${days} days`, chosen: { kind: "recent", days } as const })),
  ...PRESETS.map((preset) => ({
    title: PRESET_TITLES[preset],
    chosen: { kind: "preset", preset } as const,
  })),
];

const isSame = (one: ChosenRange, other: ChosenRange): boolean =>
  (one.kind === "recent" && other.kind === "recent" && one.days === other.days) ||
  (one.kind === "preset" && other.kind === "preset" && one.preset === other.preset);

/** Chooses the days, relative to the last listed day or between two dates, and the earlier days for comparison. */
export function RangePicker({
  chosen,
  range,
  earlier,
  listed,
}: {
  chosen: ChosenRange;
  range: DayRange;
  /** Undefined if the part shows no changes. */
  earlier: Earlier | undefined;
  listed: Day;
}): ReactNode {
  const title = NAMED.find((each) => isSame(each.chosen, chosen))?.title;
  return (
    <RangeField
      label="Los Angeles days"
      className={styles.range}
      shown={
        <>
          {title !== undefined && <strong>{title}</strong>} <span>{formatRange(range)}</span>{" "}
          {earlier !== undefined && (
            <span className={styles.earlier}>vs {EARLIER_TITLES[earlier].toLowerCase()}</span>
          )}
        </>
      }
      range={range}
      last={listed}
      named={NAMED.map((each) => ({
        title: each.title,
        isChosen: isSame(each.chosen, chosen),
        choose: () => changeView({ range: each.chosen }),
      }))}
      onChange={(own) => changeView({ range: { kind: "own", range: own } })}
    >
      {earlier !== undefined && (
        <>
          <span className="label" aria-hidden="true">
            Compare with
          </span>
          <Segments
            legend="Compare with"
            segments={EARLIER.map((each) => ({
              title: EARLIER_TITLES[each],
              isChosen: each === earlier,
              choose: () => changeView({ earlier: each }),
            }))}
          />
        </>
      )}
    </RangeField>
  );
}
