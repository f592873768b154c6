import type { Day } from "../../../../src/model/day.js";
import { type DayRange, upTo } from "../days/day-range.js";

/** The parts of the console, one of which is shown. */
export const TABS = ["overview", "labels", "entries", "compare", "integrity"] as const;

export type Tab = (typeof TABS)[number];

/** Numbers of days up to the last listed one that the range picker offers. */
export const RECENT_DAYS = [7, 28, 90] as const;

/** A range of days: the most recent ones, or a range that the viewer entered. */
export type ChosenRange =
  | { readonly kind: "recent"; readonly days: (typeof RECENT_DAYS)[number] }
  | { readonly kind: "own"; readonly range: DayRange };

/** Resolves a choice of days, given the last listed day, with which every range ends at the latest. */
export const resolveRange = (chosen: ChosenRange, listed: Day): DayRange =>
  chosen.kind === "own" ? upTo(chosen.range, listed) : { first: listed - chosen.days + 1, last: listed };

/** The two sides of a comparison. */
export type Comparison =
  /** Two labels, "" for messages without one; undefined until chosen. */
  | { readonly kind: "labels"; readonly left: string | undefined; readonly right: string | undefined }
  /** The range of the view and another; undefined for the one just before. */
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
  /** Labels to include, "" for messages without one; undefined for all. */
  readonly labels: readonly string[] | undefined;
  readonly comparison: Comparison;
  /** Sorting of the table of labels; undefined for its default. */
  readonly sorting: Sorting | undefined;
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
