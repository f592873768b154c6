import type { DayRange } from "../days/day-range.js";

/** The parts of the console, one of which is shown. */
export const TABS = ["overview", "labels", "entries", "compare", "integrity"] as const;

/** The name of a part. */
export type Tab = (typeof TABS)[number];

/** Lengths of time, up to the last day that is listed, that are offered by name. */
export const RECENT_DAYS = [7, 28, 90] as const;

/** A range of days: the most recent ones, or one of the viewer's own. */
export type ChosenRange =
  | { readonly kind: "recent"; readonly days: (typeof RECENT_DAYS)[number] }
  | { readonly kind: "own"; readonly range: DayRange };

/** What is held against what. */
export type Comparison =
  /** Two labels, "" for messages without one; undefined as long as none is chosen. */
  | { readonly kind: "labels"; readonly left: string | undefined; readonly right: string | undefined }
  /** The range of the view and another; the one just before it if it is undefined. */
  | { readonly kind: "ranges"; readonly other: DayRange | undefined };

/** A column that a table is sorted by. */
export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

/** All that is chosen. It stands in the address of the page, so that it can be shared. */
export interface View {
  readonly project: string | undefined;
  readonly app: string | undefined;
  readonly tab: Tab;
  readonly range: ChosenRange;
  /** Labels to include, "" for messages without one; all if it is undefined. */
  readonly labels: readonly string[] | undefined;
  readonly comparison: Comparison;
  /** How the table of labels is sorted; its own way if it is undefined. */
  readonly sorting: Sorting | undefined;
}
