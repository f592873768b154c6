import { type ReactNode, useMemo } from "react";
import { daysOf as daysOfRange } from "../../../model/days/day-range.js";
import { longDay } from "../../../model/days/format-day.js";
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

/** The numbers of the small charts: newest day first, with a column for each label. */
export function MultiplesTable({
  rows,
  daysOf,
}: {
  rows: readonly LabelRow[];
  daysOf: (label: string) => readonly ChartDay[] | undefined;
}): ReactNode {
  const { range } = useSelection();
  const days = useMemo(() => daysOfRange(range).reverse(), [range]);
  const columns = useMemo(
    (): readonly TableColumn<number>[] => [
      { id: "day", title: "Day", kind: "text", cellOf: longDay },
      ...rows.map(({ label }): TableColumn<number> => {
        const shares = new Map(deliveredShares(daysOf(label) ?? []).map(({ day, share }) => [day, share]));
        return {
          id: `label:${label}`,
          title: labelText(label),
          kind: "number",
          cellOf: (day) => formatPercent(shares.get(day)),
        };
      }),
    ],
    [rows, daysOf],
  );
  return (
    <DataTable
      caption="Delivered share of each label by day"
      columns={columns}
      rows={days}
      rowKey={String}
      maxHeight={MAX_HEIGHT}
    />
  );
}
