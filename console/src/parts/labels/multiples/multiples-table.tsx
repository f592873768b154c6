import { type ReactNode, useMemo } from "react";
import type { DayRange } from "../../../model/days/day-range.js";
import { formatRange } from "../../../model/days/format-day.js";
import { periodLength, periodsIn } from "../../../model/days/period.js";
import type { ChartDay } from "../../../model/figures/chart-day.js";
import { deliveredShares } from "../../../model/figures/day-shares.js";
import type { LabelRow } from "../../../model/figures/label-row.js";
import { formatPercent } from "../../../model/numbers/format-number.js";
import { labelText } from "../../../model/view/label-text.js";
import { DataTable } from "../../../ui/tables/data-table.js";
import type { TableColumn } from "../../../ui/tables/table-column.js";
import { useSelection } from "../../selection.js";

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
