import type { ReactNode } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import type { View } from "#console/model/view/view.js";
import type { Day } from "#src/model/day.js";
import styles from "./filter-bar.module.css";
import { LabelPicker } from "./label-picker.js";
import { RangePicker } from "./range-picker.js";

/** Chooses the days and, if they apply, the labels. Stays in sight, and is one line on every screen. */
export function FilterBar({
  view: { tab, comparison, range, earlier },
  selection,
  listed,
}: {
  view: View;
  selection: EntriesSelection;
  listed: Day;
}): ReactNode {
  // The table of apps includes all labels. The comparison of two labels has its own label pickers.
  const hasLabels = tab !== "project" && !(tab === "compare" && comparison.kind === "labels");
  const hasChanges = tab === "project" || tab === "overview";
  return (
    <section className={styles.bar} aria-label="Days and labels">
      <RangePicker
        chosen={range}
        range={selection.range}
        earlier={hasChanges ? earlier : undefined}
        listed={listed}
      />
      {hasLabels && <LabelPicker selection={selection} />}
    </section>
  );
}
