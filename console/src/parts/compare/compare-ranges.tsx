import { type ReactNode, useMemo } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { useLastListedDay } from "#console/api/services.js";
import { type DayRange, upTo } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { EARLIER, type Earlier, earlierRange } from "#console/model/view/chosen-range.js";
import { Field } from "#console/ui/choose/controls.js";
import { DateFields } from "#console/ui/choose/date-fields.js";
import { Button } from "#console/ui/elements/basics.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
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
        <Field>
          <span className="label">
            Left: {other === undefined ? EARLIER_TITLES[earlier] : "another range"}
          </span>
          <DateFields
            range={left.selection.range}
            last={listed}
            name="(left)"
            onChange={(range, how) => changeView({ comparison: { kind: "ranges", other: range } }, how)}
          />
        </Field>
        {EARLIER.map((title) => (
          <Button
            key={title}
            look="plain"
            disabled={other === undefined && title === earlier}
            onClick={() => changeView({ earlier: title, comparison: { kind: "ranges", other: undefined } })}
          >
            {capitalized(EARLIER_TITLES[title])}
          </Button>
        ))}
        <Field>
          <span className="label">Right: the chosen range</span>
          <span className={styles.range}>{right.title}</span>
        </Field>
      </KindSwitch>
      {children(left, right)}
    </>
  );
}

const EARLIER_TITLES: Readonly<Record<Earlier, string>> = {
  before: "the previous period",
  year: "last year",
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const sideOf = (range: DayRange, selection: EntriesSelection): SideChoice => ({
  title: formatRange(range),
  selection: { ...selection, range },
});
