import type { EntriesSelection } from "../../api/requests.js";
import type { ChartDay } from "../../charts/chart-day.js";
import type { Counts } from "../../numbers/counts.js";

/** One of the two that are compared, before its entries are known. */
export interface SideChoice {
  readonly title: string;
  readonly selection: EntriesSelection;
}

/** One of the two that are compared. */
export interface Side extends SideChoice {
  readonly days: readonly ChartDay[];
  /** Of all its days together. */
  readonly total: Counts;
}
