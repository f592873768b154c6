import { type ReactNode, useMemo } from "react";
import { useGroups } from "../../api/queries.js";
import { chartDaysOf, totalOf } from "../../model/figures/chart-day.js";
import { Loaded } from "../../ui/states/loaded.js";
import { Skeleton } from "../../ui/states/skeleton.js";
import { NoEntries } from "../no-entries.js";
import { ComparedCharts } from "./compared-charts.js";
import { ComparedFigures } from "./compared-figures.js";
import { ComparedTable } from "./compared-table.js";
import styles from "./contest.module.css";
import type { Side, SideChoice } from "./side.js";
import { type ContestData, useSettled } from "./use-settled.js";

/** Approximate height of a comparison in pixels. */
export const COMPARE_HEIGHT = 1_400;

/** Compares two sides: key figures, charts, and all categories. */
export function Contest({ left, right }: { left: SideChoice; right: SideChoice }): ReactNode {
  const leftDays = useGroups({ ...left.selection, groupBy: ["DATE"] });
  const rightDays = useGroups({ ...right.selection, groupBy: ["DATE"] });
  const settled = useSettled(left, right, leftDays, rightDays);
  return (
    <Loaded query={leftDays} height={COMPARE_HEIGHT}>
      {() => (
        <Loaded query={rightDays} height={COMPARE_HEIGHT}>
          {() => (settled === undefined ? <Skeleton height={COMPARE_HEIGHT} /> : <Sides {...settled} />)}
        </Loaded>
      )}
    </Loaded>
  );
}

function Sides({ left, right, leftGroups, rightGroups }: ContestData): ReactNode {
  const leftDays = useMemo(() => chartDaysOf(leftGroups), [leftGroups]);
  const rightDays = useMemo(() => chartDaysOf(rightGroups), [rightGroups]);
  const sides: readonly [Side, Side] = [
    { ...left, days: leftDays, total: totalOf(leftDays) },
    { ...right, days: rightDays, total: totalOf(rightDays) },
  ];
  const empty = sides.find(({ days }) => days.length === 0);
  return (
    <div className={styles.sides}>
      {empty !== undefined && <NoEntries range={empty.selection.range} labels={empty.selection.labels} />}
      <ComparedFigures sides={sides} />
      <ComparedCharts sides={sides} />
      <ComparedTable sides={sides} />
    </div>
  );
}
