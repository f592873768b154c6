import { type ReactNode, useId, useRef, useState } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { formatRange } from "#console/model/days/format-day.js";
import { labelsText } from "#console/model/figures/labels-text.js";
import { EARLIER, type Earlier } from "#console/model/view/chosen-range.js";
import type { View } from "#console/model/view/view.js";
import { Select } from "#console/ui/choose/controls.js";
import { useDismiss } from "#console/ui/choose/picker.js";
import { changeView } from "#console/ui/view/use-view.js";
import type { Day } from "#src/model/day.js";
import styles from "./filter-bar.module.css";
import { LabelPicker } from "./label-picker.js";
import { RangePicker } from "./range-picker.js";

/**
 * Chooses the days and, if they apply, the labels. Stays in sight. On a narrow screen, it collapses to a one-line *
 * summary.
 */
export function FilterBar({
  view,
  selection,
  listed,
}: {
  view: View;
  selection: EntriesSelection;
  listed: Day;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const summary = useRef<HTMLButtonElement>(null);
  const id = useId();
  useDismiss(bar, isOpen, () => setOpen(false));
  const { tab, comparison } = view;
  // The table of apps includes all labels. The comparison of two labels has its own label pickers.
  const hasLabels = tab !== "project" && !(tab === "compare" && comparison.kind === "labels");
  const hasChanges = tab === "project" || tab === "overview";
  return (
    <section
      ref={bar}
      className={styles.bar}
      aria-label="Days and labels"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        setOpen(false);
        summary.current?.focus();
      }}
    >
      <button
        type="button"
        ref={summary}
        className={styles.summary}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          {formatRange(selection.range)}
          {hasLabels && ` · ${labelsText(selection.labels)}`}
        </span>
      </button>
      <div id={id} className={styles.choices} data-open={isOpen || undefined}>
        <RangePicker chosen={view.range} range={selection.range} listed={listed} />
        {hasLabels && <LabelPicker selection={selection} />}
        {hasChanges && <EarlierPicker earlier={view.earlier} />}
      </div>
    </section>
  );
}

const TITLES: Readonly<Record<Earlier, string>> = {
  before: "vs period before",
  year: "vs last year",
};

/** Chooses the earlier range for comparison. */
const EarlierPicker = ({ earlier }: { earlier: Earlier }): ReactNode => (
  <Select
    label="Changes"
    options={EARLIER.map((value) => ({ value, text: TITLES[value] }))}
    chosen={earlier}
    onChoose={(value) => changeView({ earlier: value })}
  />
);
