import { type ReactNode, useMemo } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { periodLength, periodsIn } from "#console/model/days/period.js";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import { deliveredShares } from "#console/model/figures/day-shares.js";
import type { LabelRow } from "#console/model/figures/label-row.js";
import { formatPercent } from "#console/model/numbers/format-number.js";
import { useSelection } from "#console/parts/selection.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import type { TableColumn } from "#console/ui/tables/sort-rows.js";
import { labelText } from "#src/presentation/field-text.js";

/** Greatest height of the table in pixels. */
const MAX_HEIGHT = 560;

/** The numbers of the small charts: newest day or week first, with a column for each label. */
export function MultiplesTable({
  rows,
  daysOf,
}: {
  rows: readonly LabelRow[];
  daysOf: (label: string) => readonly ChartDay[] | undefined;
}): ReactNode {
  const { range } = useSelection();
  const periods = useMemo(() => [...periodsIn(range)].reverse(), [range]);
  const period = periodLength(range) === 1 ? "Day" : "Week";
  const columns = useMemo(
    (): readonly TableColumn<DayRange>[] => [
      { id: "day", title: period, kind: "text", cellOf: formatRange },
      ...rows.map(({ label }): TableColumn<DayRange> => {
        const shares = new Map(deliveredShares(daysOf(label) ?? []).map(({ day, share }) => [day, share]));
        return {
          id: `label:${label}`,
          title: labelText(label),
          kind: "number",
          cellOf: ({ first }) => formatPercent(shares.get(first)),
        };
      }),
    ],
    [rows, daysOf, period],
  );
  return (
    <DataTable
      caption={`Delivered share of each label by ${period.toLowerCase()}`}
      columns={columns}
      rows={periods}
      rowKey={({ first }) => String(first)}
      maxHeight={MAX_HEIGHT}
    />
  );
}
