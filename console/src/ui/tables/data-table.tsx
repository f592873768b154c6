import { memo, type ReactNode } from "react";
import type { Sorting } from "#console/model/view/view.js";
import { Select } from "../choose/select.js";
import styles from "./data-table.module.css";
import { sortingAfter, type TableColumn } from "./rows.js";
import { TableFrame, useParts } from "./table-frame.js";

/** A sortable table in a {@link TableFrame}. Renders many rows over several animation frames. */
export function DataTable<R>({
  caption,
  columns,
  rows,
  rowKey,
  sorting,
  onSort,
  maxHeight,
  onNearEnd,
  hasCards = false,
}: {
  /** Table name, for assistive technology. */
  caption: string;
  /** The first column is the row header. Pass the same columns and rows on each render, so that rows stay memoized. */
  columns: readonly TableColumn<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string;
  /** Current sorting. Undefined if the table cannot be sorted. */
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** Maximum height in pixels. Unlimited if omitted. */
  maxHeight?: number | undefined;
  /** Called while the viewer scrolls, and less than a screen of rows is left. */
  onNearEnd?: (() => void) | undefined;
  /** True to show each row as a card on a narrow screen. */
  hasCards?: boolean;
}): ReactNode {
  const drawn = useParts(rows).flat();
  const table = (
    <TableFrame
      caption={caption}
      maxHeight={maxHeight}
      onNearEnd={onNearEnd}
      isBusy={drawn.length < rows.length}
      className={hasCards ? styles.cards : undefined}
    >
      <TableHead columns={columns} sorting={sorting} onSort={onSort} />
      <tbody>
        {drawn.map((row) => (
          <Row key={rowKey(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </TableFrame>
  );
  if (!hasCards || sorting === undefined || onSort === undefined) return table;
  return (
    <div className={styles.withOrder}>
      <div className={styles.order}>
        <Select
          label={`Order: ${caption}`}
          hint="Sort by"
          options={columns
            .filter(({ sortKeyOf }) => sortKeyOf !== undefined)
            .map(({ id, title }) => ({ value: id, text: title }))}
          chosen={columns.some(({ id }) => id === sorting.column) ? sorting.column : undefined}
          onChoose={(id) => {
            const column = columns.find((each) => each.id === id);
            if (column !== undefined) onSort(sortingAfter(column, sorting));
          }}
        />
      </div>
      {table}
    </div>
  );
}

// Memoized, because most rows do not change with the page.
const Row = memo(function Row<R>({
  row,
  columns,
}: {
  row: R;
  columns: readonly TableColumn<R>[];
}): ReactNode {
  return (
    <tr>
      {columns.map(({ id, kind, title, cellOf }, index) =>
        index === 0 ? (
          <th key={id} scope="row">
            {cellOf(row)}
          </th>
        ) : (
          <td key={id} data-kind={kind} data-title={title}>
            {cellOf(row)}
          </td>
        ),
      )}
    </tr>
  );
}) as <R>(props: { row: R; columns: readonly TableColumn<R>[] }) => ReactNode;

/** Column headings, below headings for column groups. */
function TableHead<R>({
  columns,
  sorting,
  onSort,
}: {
  columns: readonly TableColumn<R>[];
  sorting: Sorting | undefined;
  onSort: ((sorting: Sorting) => void) | undefined;
}): ReactNode {
  const runs = runsOf(columns);
  return (
    <thead>
      {runs.some(({ group }) => group !== undefined) && (
        <tr>
          {runs.map(({ group, start, length }) =>
            group === undefined ? (
              <td key={start} colSpan={length} />
            ) : (
              <th key={start} scope="colgroup" colSpan={length}>
                <span className={styles.group}>{group}</span>
              </th>
            ),
          )}
        </tr>
      )}
      <tr>
        {columns.map((column) => {
          const isSortedBy = column.id === sorting?.column;
          const direction = sorting?.descending ? "descending" : "ascending";
          return (
            <th
              key={column.id}
              scope="col"
              data-kind={column.kind}
              title={column.meaning}
              aria-sort={isSortedBy ? direction : undefined}
            >
              {column.sortKeyOf && sorting && onSort ? (
                <button
                  type="button"
                  className={styles.sort}
                  data-direction={isSortedBy ? direction : undefined}
                  onClick={() => onSort(sortingAfter(column, sorting))}
                >
                  {column.title}
                </button>
              ) : sorting === undefined ? (
                column.title
              ) : (
                <span className={styles.still}>{column.title}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface Run {
  readonly group: string | undefined;
  readonly start: number;
  length: number;
}

/** Groups columns that share a heading. The first column, which does not scroll, is always a group of one. */
function runsOf<R>(columns: readonly TableColumn<R>[]): readonly Run[] {
  const runs: Run[] = [];
  columns.forEach(({ group }, index) => {
    const last = runs.at(-1);
    if (last !== undefined && index > 1 && last.group === group) last.length += 1;
    else runs.push({ group, start: index, length: 1 });
  });
  return runs;
}
