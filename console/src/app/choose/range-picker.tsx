import type { ReactNode } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { type ChosenRange, PRESETS, type Preset, RECENT_DAYS } from "#console/model/view/chosen-range.js";
import { Segments, Select } from "#console/ui/choose/controls.js";
import { DateFields } from "#console/ui/choose/date-fields.js";
import { changeView } from "#console/ui/view/use-view.js";
import type { Day } from "#src/model/day.js";
import styles from "./range-picker.module.css";

const PRESET_TITLES: Readonly<Record<Preset, string>> = {
  yesterday: "Yesterday",
  "this-month": "This month",
  "last-month": "Last month",
  "12-months": "12 months",
};

const CUSTOM = "custom";

/** Ranges without a button. */
const MORE = [
  ...PRESETS.map((preset) => ({ value: preset, text: PRESET_TITLES[preset] })),
  { value: CUSTOM, text: "Custom" },
] as const;

function moreOf(chosen: ChosenRange): Preset | typeof CUSTOM | undefined {
  if (chosen.kind === "own" || chosen.kind === "since") return CUSTOM;
  return chosen.kind === "preset" ? chosen.preset : undefined;
}

/** Chooses the days: a range relative to the last listed day, or two dates. */
export function RangePicker({
  chosen,
  range,
  listed,
}: {
  chosen: ChosenRange;
  /** The chosen days. */
  range: DayRange;
  listed: Day;
}): ReactNode {
  return (
    <fieldset className={styles.range}>
      <legend className="label">Los Angeles days</legend>
      <Segments
        segments={RECENT_DAYS.map((days) => ({
          title: `${days} days`,
          isChosen: chosen.kind === "recent" && chosen.days === days,
          choose: () => changeView({ range: { kind: "recent", days } }),
        }))}
      />
      <Select
        label="More ranges"
        hint="More"
        options={MORE}
        chosen={moreOf(chosen)}
        onChoose={(more) =>
          changeView({ range: more === CUSTOM ? { kind: "own", range } : { kind: "preset", preset: more } })
        }
      />
      <DateFields
        range={range}
        last={listed}
        onChange={(own, how) => changeView({ range: { kind: "own", range: own } }, how)}
      />
    </fieldset>
  );
}
