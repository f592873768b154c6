import type { ReactNode } from "react";
import { formatCount } from "#console/model/numbers/format-number.js";
import type { Sorting } from "#console/model/view/view.js";

/**
 * Formats the number of rows in view: `24 of 1,981 labels`, or `24 of 312 found among 1,981 labels` if a search finds more,
 * or `No labels match.`
 */
export function countText(shown: number, found: number, all: number, what: string): string {
  if (found === 0) return `No ${what} match.`;
  return found === all || shown === found
    ? `${formatCount(shown)} of ${formatCount(all)} ${what}`
    : `${formatCount(shown)} of ${formatCount(found)} found among ${formatCount(all)} ${what}`;
}

/** Sort key of a row. Rows without one come last. */
type SortKey = number | string | undefined;

export interface TableColumn<R> {
  readonly id: string;
  readonly title: string;
  /** Explanation, in one sentence. */
  readonly meaning?: string;
  /** Heading shared with neighboring columns. */
  readonly group?: string;
  /** Text is aligned left, numbers right. */
  readonly kind: "text" | "number";
  /** True if the smallest number is the worst. The worst comes first. */
  readonly leastFirst?: boolean;
  readonly cellOf: (row: R) => ReactNode;
  /** Undefined if the column cannot be sorted. */
  readonly sortKeyOf?: (row: R) => SortKey;
}

/** Sorts rows by a column. Keeps the order of equal rows. Rows without a value come last. */
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
 * Returns the sorting after a click on a heading. Text starts in ascending order. Numbers start with the worst: the
 * largest, unless the column has `leastFirst`. A second click reverses the order.
 */
export const sortingAfter = <R>({ id, kind, leastFirst }: TableColumn<R>, now: Sorting): Sorting => ({
  column: id,
  descending: now.column === id ? !now.descending : kind === "number" && !leastFirst,
});

/** Returns the chosen sorting if it applies to these columns, or else the default. It may belong to another table. */
export const knownSorting = <R>(
  columns: readonly TableColumn<R>[],
  chosen: Sorting | undefined,
  usual: Sorting,
): Sorting =>
  chosen !== undefined && columns.some(({ id, sortKeyOf }) => id === chosen.column && sortKeyOf)
    ? chosen
    : usual;

/**
 * Returns true if a word in a name starts with the search text. Words are separated by all characters except
 * letters and digits. An empty search matches every name.
 */
export function isFound(name: string, search: string): boolean {
  const text = search.trim().toLowerCase();
  const lower = name.toLowerCase();
  for (let at = lower.indexOf(text); at >= 0; at = lower.indexOf(text, at + 1)) {
    if (at === 0 || BOUNDARY.test(lower.charAt(at - 1)) || BOUNDARY.test(text[0] ?? "_")) return true;
  }
  return false;
}

/** Returns true if one of the texts contains the search text. */
export function isContained(texts: readonly string[], search: string): boolean {
  const text = search.trim().toLowerCase();
  return texts.some((each) => each.toLowerCase().includes(text));
}

const BOUNDARY = /[^\p{L}\p{N}]/u;
