import { isLabel } from "../../../src/model/analytics-label.js";
import { type DayRange, isoDate } from "../days/day-range.js";

/** Selects entries of an app. */
export interface EntriesSelection {
  /** Project id or number. */
  readonly project: string;
  readonly app: string;
  readonly range: DayRange;
  /** Labels to include, "" for messages without one; undefined for all. */
  readonly labels: readonly string[] | undefined;
}

/** Dimension to group sums by. */
export type Dimension = "DATE" | "ANALYTICS_LABEL";

/** Request for sums. */
export interface GroupsQuery extends EntriesSelection {
  readonly groupBy: readonly Dimension[];
}

/** Request for a page of entries. */
export interface EntriesQuery extends EntriesSelection {
  readonly pageSize: number;
  /** Undefined for the first page. */
  readonly pageToken?: string | undefined;
}

/** Path and query of a request for sums, relative to the address of the messaging-data service. */
export function groupsRequest({ groupBy, ...selection }: GroupsQuery): string {
  const parameters = new URLSearchParams({ filter: filterOf(selection) });
  for (const dimension of groupBy) parameters.append("groupBy", dimension);
  return `${pathOf(selection)}:aggregate?${parameters}`;
}

/** Path and query of a request for entries, relative to the address of the messaging-data service. */
export function entriesRequest({ pageSize, pageToken, ...selection }: EntriesQuery): string {
  const parameters = new URLSearchParams({ filter: filterOf(selection), pageSize: String(pageSize) });
  if (pageToken !== undefined) parameters.set("pageToken", pageToken);
  return `${pathOf(selection)}?${parameters}`;
}

function pathOf({ project, app }: EntriesSelection): string {
  return `/v1beta1/projects/${encodeURIComponent(project)}/androidApps/${encodeURIComponent(app)}/deliveryData`;
}

/**
 * Filter that selects the entries (AIP-160). Leaves out labels that cannot exist; valid labels need no
 * escaping.
 */
export function filterOf({ range, labels }: EntriesSelection): string {
  const dates = `date >= "${isoDate(range.first)}" AND date <= "${isoDate(range.last)}"`;
  if (labels === undefined) return dates;
  const values = labels.filter((label) => label === "" || isLabel(label)).map((label) => `"${label}"`);
  if (values.length === 0) return `${dates} AND analyticsLabel = "" AND analyticsLabel:*`;
  return `${dates} AND analyticsLabel = ${values.length === 1 ? values[0] : `(${values.join(" OR ")})`}`;
}
