import type { DayRange } from "../days/day-range.js";
import type { ChosenRange, Earlier } from "./chosen-range.js";

/** The parts of the console, one of which is shown. The first is about the apps of a project. */
export const TABS = ["project", "overview", "labels", "entries", "compare", "integrity"] as const;

export type Tab = (typeof TABS)[number];

/** The part shown if the address names none. */
export const defaultTab = (app: string | undefined): Tab => (app === undefined ? "project" : "overview");

/** The two sides of a comparison. */
export type Comparison =
  /** Two labels, "" for messages without one; undefined until chosen. */
  | { readonly kind: "labels"; readonly left: string | undefined; readonly right: string | undefined }
  /** The range of the view and another; undefined for the earlier one of the view. */
  | { readonly kind: "ranges"; readonly other: DayRange | undefined };

/** A column to sort a table by. */
export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

/** Everything that the viewer chose. The address of the page holds it, which makes a view shareable. */
export interface View {
  readonly project: string | undefined;
  readonly app: string | undefined;
  readonly tab: Tab;
  readonly range: ChosenRange;
  /** The earlier range that figures are compared with. */
  readonly earlier: Earlier;
  /** Labels to include, "" for messages without one; undefined for all. */
  readonly labels: readonly string[] | undefined;
  readonly comparison: Comparison;
  /** Sorting of the table of labels or apps; undefined for its default. */
  readonly sorting: Sorting | undefined;
  /** Key of the category that charts show alone, or that a comparison draws; undefined for all, or the first. */
  readonly category: string | undefined;
  /** True if the chart of outcomes leaves out delivered messages. */
  readonly isUndelivered: boolean;
  /** True if the chart of outcomes shows numbers instead of shares. */
  readonly asCounts: boolean;
  /** Page of the list of entries, from 1. */
  readonly page: number;
}

/** Applies a change to a view. Another list of entries starts at its first page. */
export function changedView(view: View, change: Partial<View>): View {
  const isOtherList = LISTED.some((name) => name in change);
  return { ...view, ...(isOtherList && { page: 1 }), ...change };
}

/** The choices that select the listed entries. */
const LISTED = ["project", "app", "range", "labels"] as const satisfies readonly (keyof View)[];
