import { memo, type ReactNode } from "react";
import type { Sorting } from "#console/model/view/view.js";
import type { TableColumn } from "./sort-rows.js";
import { TableFrame, useParts } from "./table-frame.js";
import { TableHead } from "./table-head.js";

/** A table of rows with the same columns, in a {@link TableFrame}. Many rows are drawn in several frames. */
export function DataTable<R>({
  caption,
  columns,
  rows,
  rowKey,
  sorting,
  onSort,
  maxHeight,
}: {
  /** Content of the table, for assistive technology. */
  caption: string;
  /**
   * The first column names the row. Pass the same columns and rows on each rendering, which keeps rows
   * memoized.
   */
  columns: readonly TableColumn<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string;
  /** Current sorting; undefined for a table that cannot be sorted. */
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** Greatest height in pixels; unlimited if left out. */
  maxHeight?: number;
}): ReactNode {
  const drawn = useParts(rows).flat();
  return (
    <TableFrame caption={caption} maxHeight={maxHeight} isBusy={drawn.length < rows.length}>
      <TableHead columns={columns} sorting={sorting} onSort={onSort} />
      <tbody>
        {drawn.map((row) => (
          <Row key={rowKey(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </TableFrame>
  );
}

// Memoized: most rows stay the same when something else on the page changes.
const Row = memo(function Row<R>({
  row,
  columns,
}: {
  row: R;
  columns: readonly TableColumn<R>[];
}): ReactNode {
  return (
    <tr>
      {columns.map(({ id, kind, cellOf }, index) =>
        index === 0 ? (
          <th key={id} scope="row">
            {cellOf(row)}
          </th>
        ) : (
          <td key={id} data-kind={kind}>
            {cellOf(row)}
          </td>
        ),
      )}
    </tr>
  );
}) as <R>(props: { row: R; columns: readonly TableColumn<R>[] }) => ReactNode;
