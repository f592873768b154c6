import type { ReactNode } from "react";
import type { Sorting } from "#console/model/view/view.js";
import { sortingAfter, type TableColumn } from "./sort-rows.js";
import styles from "./table-head.module.css";

/** The headings of a table: one for each column, below those that columns share. */
export function TableHead<R>({
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

/** Runs of columns that share a heading. The first column, which stays in sight, is always alone. */
function runsOf<R>(columns: readonly TableColumn<R>[]): readonly Run[] {
  const runs: Run[] = [];
  columns.forEach(({ group }, index) => {
    const last = runs.at(-1);
    if (last !== undefined && index > 1 && last.group === group) last.length += 1;
    else runs.push({ group, start: index, length: 1 });
  });
  return runs;
}
