import type { ReactNode } from "react";
import type { Day } from "../../../../src/model/day.js";
import type { EntriesSelection } from "../../api/requests.js";
import type { View } from "../../model/view/view.js";
import { ChoiceRow } from "../../ui/choose/choice-row.js";
import { EarlierPicker } from "./earlier-picker.js";
import { LabelPicker } from "./label-picker.js";
import { RangePicker } from "./range-picker.js";

/** Chooses the days and, where they apply, the labels. */
export function FilterBar({
  view,
  selection,
  listed,
}: {
  view: View;
  selection: EntriesSelection;
  listed: Day;
}): ReactNode {
  const { tab, comparison } = view;
  // Apps are compared without regard to labels; comparing labels has its own pickers for them.
  const hasLabels = tab !== "project" && !(tab === "compare" && comparison.kind === "labels");
  const hasChanges = tab === "project" || tab === "overview";
  return (
    <section aria-label="Days and labels">
      <ChoiceRow>
        <RangePicker chosen={view.range} range={selection.range} listed={listed} />
        {hasChanges && <EarlierPicker earlier={view.earlier} />}
        {hasLabels && <LabelPicker selection={selection} />}
      </ChoiceRow>
    </section>
  );
}
