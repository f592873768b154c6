import type { ReactNode } from "react";

/** What a column is sorted by; rows without it come last. */
export type SortKey = number | string | undefined;

/** A column of a {@link DataTable}. */
export interface TableColumn<R> {
  readonly id: string;
  readonly title: string;
  /** What the title stands for, in a sentence. */
  readonly meaning?: string;
  /** The heading that it shares with the columns next to it. */
  readonly group?: string;
  /** Texts begin on the left, numbers end on the right. */
  readonly kind: "text" | "number";
  readonly cellOf: (row: R) => ReactNode;
  /** Without it the table cannot be sorted by this column. */
  readonly sortKeyOf?: (row: R) => SortKey;
}
