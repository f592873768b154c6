import type { ChosenRange } from "#src/presentation/chosen-range.js";
import { labelText } from "#src/presentation/field-text.js";
import type { DayRange } from "../days/day-range.js";
import type { IncidentState } from "../figures/inbox-incident.js";
import type { Earlier } from "./chosen-range.js";

/** The console's parts, one per tab. The first shows all apps of a project. */
export const TABS = [
  "project",
  "incidents",
  "overview",
  "labels",
  "entries",
  "compare",
  "integrity",
  "settings",
] as const;

export type Tab = (typeof TABS)[number];

export const TAB_TITLES: Readonly<Record<Tab, string>> = {
  project: "All apps",
  incidents: "Incidents",
  overview: "Overview",
  labels: "Labels",
  entries: "Entries",
  compare: "Compare",
  integrity: "App integrity",
  settings: "Settings",
};

/** Returns the tab to show if the URL has none. */
export const defaultTab = (app: string | undefined): Tab => (app === undefined ? "project" : "overview");

/** The right side of a comparison with all labels but the left one. No label has this text. */
export const OTHER_LABELS = "*";

/** Both sides of a comparison. */
export type Comparison =
  /** Two labels; "" for messages without a label. Undefined until chosen. The right one may be {@link OTHER_LABELS}. */
  | { readonly kind: "labels"; readonly left: string | undefined; readonly right: string | undefined }
  /** The chosen range and a second range. Undefined for the earlier range. */
  | { readonly kind: "ranges"; readonly other: DayRange | undefined };

/** A column to sort a table by. */
export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

/** All choices of the viewer. They are in the URL, so that a view can be shared. */
export interface View {
  readonly project: string | undefined;
  readonly app: string | undefined;
  /** Registered app on the app-integrity part. Undefined for the list of all. */
  readonly attestedApp: string | undefined;
  readonly tab: Tab;
  readonly range: ChosenRange;
  /** The earlier range for comparison. */
  readonly earlier: Earlier;
  /** Labels to include, "" for messages without one. Undefined for all. */
  readonly labels: readonly string[] | undefined;
  readonly comparison: Comparison;
  /** Sorting of the label or app table. Undefined for the default. */
  readonly sorting: Sorting | undefined;
  /**
   * Key of the isolated category in charts, or of the charted category in a comparison. Undefined for all, or the
   * first.
   */
  readonly category: string | undefined;
  /** True if the outcomes chart omits delivered messages. */
  readonly isUndelivered: boolean;
  /** True if the outcomes chart shows counts instead of shares. */
  readonly asCounts: boolean;
  readonly incidentState: IncidentState;
  /** Page number in the list of entries, from 1. */
  readonly page: number;
}

/** Applies a change to a view. A change of the listed entries resets the page number. */
export function changedView(view: View, change: Partial<View>): View {
  const isOtherList = LISTED.some((name) => name in change);
  return { ...view, ...(isOtherList && { page: 1 }), ...change };
}

/** Choices that affect the listed entries. */
const LISTED = ["project", "app", "range", "labels"] as const satisfies readonly (keyof View)[];

/** Names the chosen labels. Undefined stands for all. */
export function labelsText(labels: readonly string[] | undefined): string {
  if (labels === undefined) return "All labels";
  return labels.length === 1 ? labelText(labels[0]) : `${labels.length} labels`;
}
