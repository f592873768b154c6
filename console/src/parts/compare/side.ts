import type { EntriesSelection } from "../../api/requests.js";
import type { ChartDay } from "../../model/figures/chart-day.js";
import type { Counts } from "../../model/numbers/counts.js";

/** One side of a comparison, before its entries are loaded. */
export interface SideChoice {
  readonly title: string;
  readonly selection: EntriesSelection;
}

/** One side of a comparison. */
export interface Side extends SideChoice {
  readonly days: readonly ChartDay[];
  /** Sum over all its days. */
  readonly total: Counts;
}
