import { type ReactNode, useMemo } from "react";
import type { DeliveryGroup } from "../../api/delivery-group.js";
import { chartDaysOf, totalOf } from "../../charts/chart-day.js";
import { Loaded } from "../../states/loaded.js";
import { NoEntries } from "../../states/no-entries.js";
import { useGroups } from "../use-groups.js";
import { ComparedCharts } from "./compared-charts.js";
import { ComparedFigures } from "./compared-figures.js";
import { ComparedTable } from "./compared-table.js";
import { COMPARE_HEIGHT } from "./heights.js";
import type { Side, SideChoice } from "./side.js";

/** Two sides: key figures, charts, and all categories. */
export function Contest({ left, right }: { left: SideChoice; right: SideChoice }): ReactNode {
  const leftDays = useGroups({ ...left.selection, groupBy: ["DATE"] });
  const rightDays = useGroups({ ...right.selection, groupBy: ["DATE"] });
  return (
    <Loaded query={leftDays} height={COMPARE_HEIGHT}>
      {(leftGroups) => (
        <Loaded query={rightDays} height={COMPARE_HEIGHT}>
          {(rightGroups) => (
            <Sides left={left} right={right} leftGroups={leftGroups} rightGroups={rightGroups} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function Sides({
  left,
  right,
  leftGroups,
  rightGroups,
}: {
  left: SideChoice;
  right: SideChoice;
  leftGroups: readonly DeliveryGroup[];
  rightGroups: readonly DeliveryGroup[];
}): ReactNode {
  const leftDays = useMemo(() => chartDaysOf(leftGroups), [leftGroups]);
  const rightDays = useMemo(() => chartDaysOf(rightGroups), [rightGroups]);
  const sides: readonly [Side, Side] = [
    { ...left, days: leftDays, total: totalOf(leftDays) },
    { ...right, days: rightDays, total: totalOf(rightDays) },
  ];
  const empty = sides.find(({ days }) => days.length === 0);
  return (
    <div className="compared">
      {empty !== undefined && <NoEntries range={empty.selection.range} labels={empty.selection.labels} />}
      <ComparedFigures sides={sides} />
      <ComparedCharts sides={sides} />
      <ComparedTable sides={sides} />
    </div>
  );
}
