import { type ReactNode, useMemo } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { useLastListedDay } from "#console/api/services.js";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { EARLIER, EARLIER_TITLES, earlierRange } from "#console/model/view/chosen-range.js";
import { Field } from "#console/ui/choose/controls.js";
import { RangeField } from "#console/ui/choose/days/range-field.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import { upTo } from "#src/presentation/chosen-range.js";
import { useSelection } from "../selection.js";
import styles from "./compare-ranges.module.css";
import type { SideChoice } from "./comparison.js";
import { KindSwitch } from "./kind-switch.js";

/** Compares the chosen range, on the right, with another range. */
export function CompareRanges({
  other,
  children,
}: {
  /** Undefined for the earlier range. */
  other: DayRange | undefined;
  children: (left: SideChoice, right: SideChoice) => ReactNode;
}): ReactNode {
  const selection = useSelection();
  const listed = useLastListedDay();
  const { earlier } = useView();
  const [left, right] = useMemo(
    () =>
      [
        sideOf(other === undefined ? earlierRange(selection.range, earlier) : upTo(other, listed), selection),
        sideOf(selection.range, selection),
      ] as const,
    [other, earlier, selection, listed],
  );
  return (
    <>
      <KindSwitch kind="ranges">
        <RangeField
          label="Left"
          className={styles.left}
          shown={
            <>
              {other === undefined && <strong>{EARLIER_TITLES[earlier]}</strong>} {left.title}
            </>
          }
          range={left.selection.range}
          last={listed}
          name="(left)"
          named={EARLIER.map((each) => ({
            title: EARLIER_TITLES[each],
            isChosen: other === undefined && each === earlier,
            choose: () => changeView({ earlier: each, comparison: { kind: "ranges", other: undefined } }),
          }))}
          onChange={(range) => changeView({ comparison: { kind: "ranges", other: range } })}
        />
        <Field>
          <span className="label">Right: the chosen range</span>
          <span className={styles.range}>{right.title}</span>
        </Field>
      </KindSwitch>
      {children(left, right)}
    </>
  );
}

const sideOf = (range: DayRange, selection: EntriesSelection): SideChoice => ({
  title: formatRange(range),
  selection: { ...selection, range },
});
