import type { ReactNode } from "react";

/** Value that rows are sorted by; rows without one come last. */
export type SortKey = number | string | undefined;

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
