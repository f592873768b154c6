import { type ReactNode, useMemo } from "react";
import type { DeliveryGroup } from "#console/api/delivery-group.js";
import { useGroups } from "#console/api/queries.js";
import { chartDaysOf, totalOf } from "#console/model/figures/chart-day.js";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { useView } from "#console/ui/view/use-view.js";
import { NoEntries } from "../no-entries.js";
import { ComparedChart } from "./compared-chart.js";
import { ComparedTable } from "./compared-table.js";
import { COMPARED_COUNTS, compare } from "./comparison.js";
import styles from "./contest.module.css";
import { Result } from "./result.js";
import type { Side, SideChoice } from "./side.js";

/** Approximate height of a comparison in pixels. */
export const COMPARE_HEIGHT = 1_100;

/**
 * Compares two sides: the difference in each category, and one of them by day. Both sides change at once, when the days of both
 * have loaded.
 * @param left the same object on each rendering, unless another side is chosen; as well as `right`
 */
export function Contest({ left, right }: { left: SideChoice; right: SideChoice }): ReactNode {
  const leftDays = useGroups({ ...left.selection, groupBy: ["DATE"] });
  const rightDays = useGroups({ ...right.selection, groupBy: ["DATE"] });
  const now = useMemo(
    () =>
      leftDays.data &&
      rightDays.data &&
      ([sideOf(left, leftDays.data), sideOf(right, rightDays.data)] as const),
    [left, right, leftDays.data, rightDays.data],
  );
  const shown = useKept(now, left.selection);
  return (
    <Loaded shown={shown} queries={[leftDays, rightDays]} height={COMPARE_HEIGHT}>
      {(sides) => <Sides sides={sides} />}
    </Loaded>
  );
}

function sideOf(choice: SideChoice, groups: readonly DeliveryGroup[]): Side {
  const days = chartDaysOf(groups);
  return { ...choice, days, total: totalOf(days) };
}

function Sides({ sides }: { sides: readonly [Side, Side] }): ReactNode {
  const { category } = useView();
  const categories = useMemo(() => compare(sides), [sides]);
  const compared = [...categories, ...COMPARED_COUNTS];
  const charted = compared.find(({ key }) => key === category) ?? categories[0];
  const empty = sides.find(({ days }) => days.length === 0);
  return (
    <div className={styles.sides}>
      {empty !== undefined && <NoEntries range={empty.selection.range} labels={empty.selection.labels} />}
      <Result sides={sides} categories={categories} />
      <div className={styles.parts}>
        <ComparedTable sides={sides} categories={categories} charted={charted?.key ?? ""} />
        {charted !== undefined && <ComparedChart sides={sides} category={charted} />}
      </div>
    </div>
  );
}
