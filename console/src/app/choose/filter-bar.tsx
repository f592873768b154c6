import type { ReactNode } from "react";
import type { Day } from "../../../../src/model/day.js";
import type { EntriesSelection } from "../../api/requests.js";
import type { View } from "../../model/view/view.js";
import { ChoiceRow } from "../../ui/choose/choice-row.js";
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
  // Comparing labels has its own pickers for them.
  const comparesLabels = view.tab === "compare" && view.comparison.kind === "labels";
  return (
    <section aria-label="Days and labels">
      <ChoiceRow>
        <RangePicker chosen={view.range} range={selection.range} listed={listed} />
        {!comparesLabels && <LabelPicker selection={selection} />}
      </ChoiceRow>
    </section>
  );
}
