import type { ReactNode } from "react";
import type { Sorting } from "#console/model/view/view.js";

/** Value that rows are sorted by; rows without one come last. */
type SortKey = number | string | undefined;

/** A column of a {@link DataTable}. */
export interface TableColumn<R> {
  readonly id: string;
  readonly title: string;
  /** One sentence about the title. */
  readonly meaning?: string;
  /** Heading that the column shares with its neighbors. */
  readonly group?: string;
  /** Texts are aligned left, numbers right. */
  readonly kind: "text" | "number";
  /** True if the least number is the worst one, which comes first. */
  readonly leastFirst?: boolean;
  readonly cellOf: (row: R) => ReactNode;
  /** Undefined if the table cannot be sorted by this column. */
  readonly sortKeyOf?: (row: R) => SortKey;
}

/** Sorts rows by a column. Equal rows keep their order, and rows without a value come last. */
export function sortRows<R>(
  rows: readonly R[],
  columns: readonly TableColumn<R>[],
  { column, descending }: Sorting,
): readonly R[] {
  const keyOf = columns.find(({ id }) => id === column)?.sortKeyOf;
  if (keyOf === undefined) return rows;
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => {
      if (a.key === undefined || b.key === undefined) {
        return Number(a.key === undefined) - Number(b.key === undefined);
      }
      return sign * compare(a.key, b.key);
    })
    .map(({ row }) => row);
}

function compare(a: NonNullable<SortKey>, b: NonNullable<SortKey>): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The sorting after a press on a heading. Numbers start with the worst, which is the greatest unless the column
 * says otherwise, texts with the first; a second press reverses.
 */
export const sortingAfter = <R>({ id, kind, leastFirst }: TableColumn<R>, now: Sorting): Sorting => ({
  column: id,
  descending: now.column === id ? !now.descending : kind === "number" && !leastFirst,
});

/** The chosen sorting if a column can be sorted by it, else the usual one: another table may have other columns. */
export const knownSorting = <R>(
  columns: readonly TableColumn<R>[],
  chosen: Sorting | undefined,
  usual: Sorting,
): Sorting =>
  chosen !== undefined && columns.some(({ id, sortKeyOf }) => id === chosen.column && sortKeyOf)
    ? chosen
    : usual;

/**
 * Returns true if a search finds a name: the text begins one of its words, whose boundaries are all characters but
 * letters and digits. An empty search finds every name.
 */
export function isFound(name: string, search: string): boolean {
  const text = search.trim().toLowerCase();
  const lower = name.toLowerCase();
  for (let at = lower.indexOf(text); at >= 0; at = lower.indexOf(text, at + 1)) {
    if (at === 0 || BOUNDARY.test(lower[at - 1] ?? "") || BOUNDARY.test(text[0] ?? "_")) return true;
  }
  return false;
}

const BOUNDARY = /[^\p{L}\p{N}]/u;
