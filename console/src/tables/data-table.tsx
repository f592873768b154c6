import { memo, type ReactNode } from "react";
import type { Sorting } from "../view/view.js";
import type { TableColumn } from "./table-column.js";
import { TableHead } from "./table-head.js";

/** A table that scrolls within its own frame. Its headings and its first column, which names each row, stay in sight. */
export function DataTable<R>({
  caption,
  columns,
  rows,
  rowKey,
  sorting,
  onSort,
  maxHeight,
}: {
  /** What the table shows, for assistive technology. */
  caption: string;
  /** The first one names the row. Should stay the same from one rendering to the next, as should the rows. */
  columns: readonly TableColumn<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string;
  /** How the rows are sorted; nothing for a table that cannot be. */
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** In pixels; as high as the rows are if it is left out. */
  maxHeight?: number;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className="table-frame" style={{ maxHeight }} aria-label={caption} tabIndex={0}>
      <table className="data-table">
        <caption className="visually-hidden">{caption}</caption>
        <TableHead columns={columns} sorting={sorting} onSort={onSort} />
        <tbody>
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

// Much of a table stays as it is when something on the page changes.
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
