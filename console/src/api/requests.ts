import type {
  AggregateDeliveryDataOptions,
  DeliveryDataDimension,
  ListDeliveryDataOptions,
  ListIncidentsOptions,
} from "@waybill/client";
import { listDeliveryDataCall, urlOf } from "@waybill/client/requests";
import { type DayRange, isoDate } from "#console/model/days/day-range.js";
import { ALL_APPS, isLabel } from "#src/model/names.js";

/** Selects entries of an app. */
export interface EntriesSelection {
  /** Project id or number. */
  readonly project: string;
  readonly app: string;
  readonly range: DayRange;
  /** Labels to include, "" for messages without one; undefined for all. */
  readonly labels: readonly string[] | undefined;
}

/** Request for sums. */
export interface GroupsQuery extends EntriesSelection {
  readonly groupBy: readonly DeliveryDataDimension[];
}

/** Request for a page of entries. */
export interface EntriesQuery extends EntriesSelection {
  readonly pageSize: number;
  /** Undefined for the first page. */
  readonly pageToken?: string | undefined;
}

/** The sums that the client is asked for. */
export function sumsOf({ groupBy, ...selection }: GroupsQuery): AggregateDeliveryDataOptions {
  const { project, app } = selection;
  return { project, app, filter: filterOf(selection), groupBy };
}

/** The list of entries that the client is asked for. */
export function listOf({ pageSize, ...selection }: Omit<EntriesQuery, "pageToken">): ListDeliveryDataOptions {
  const { project, app } = selection;
  return { project, app, filter: filterOf(selection), pageSize };
}

/**
 * The incidents on any of the days of a selection, of its labels or of the whole app, that the client is asked
 * for. What most labels share is said of the app alone.
 */
export function incidentsOf({
  project,
  app,
  range: { first, last },
  labels,
}: EntriesSelection): ListIncidentsOptions {
  const lasted = `startDate <= "${isoDate(last)}" AND (endDate >= "${isoDate(first)}" OR NOT endDate:*)`;
  const ofLabels = labelConditions(labels).join(" AND ");
  const filter = ofLabels === "" ? lasted : `${lasted} AND (wholeApp = true OR (${ofLabels}))`;
  return { project, app, filter };
}

/** The incidents of all apps of a project that go on, which the client is asked for. */
export const ongoingIncidentsOf = (project: string): ListIncidentsOptions => ({
  project,
  app: ALL_APPS,
  filter: "NOT endDate:*",
});

/**
 * Path and query by which the client requests a page of entries, relative to the address of the
 * messaging-data service.
 */
export function entriesRequest({ pageToken, ...query }: EntriesQuery): string {
  const { pathname, search } = urlOf(
    listDeliveryDataCall(listOf(query), pageToken),
    new URL("http://service/"),
  );
  return pathname + search;
}

/** Filter that selects the entries (AIP-160). */
export function filterOf({ range, labels }: EntriesSelection): string {
  const dates = `date >= "${isoDate(range.first)}" AND date <= "${isoDate(range.last)}"`;
  return [dates, ...labelConditions(labels)].join(" AND ");
}

/** Leaves out labels that cannot exist; valid labels need no escaping. */
function labelConditions(labels: EntriesSelection["labels"]): readonly string[] {
  if (labels === undefined) return [];
  const values = labels.filter((label) => label === "" || isLabel(label)).map((label) => `"${label}"`);
  if (values.length === 0) return [`analyticsLabel = ""`, "analyticsLabel:*"];
  return [`analyticsLabel = ${values.length === 1 ? values[0] : `(${values.join(" OR ")})`}`];
}

/** Most entries on one page. */
const CURL_PAGE_SIZE = 10_000;

/**
 * A command for a POSIX shell that prints the entries of a selection: the first 10,000, with a page token if
 * there are more. The command reads the access token from the variable TOKEN and does not contain it.
 * @param serviceUrl address of the messaging-data service, without a trailing slash.
 */
export function curlLine(serviceUrl: string, selection: EntriesSelection): string {
  const { pathname, search } = new URL(
    entriesRequest({ ...selection, pageSize: CURL_PAGE_SIZE }),
    "http://host",
  );
  const parameters = [...new URLSearchParams(search)].map(
    ([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`,
  );
  return [
    "curl --silent --show-error --get",
    shellQuoted(serviceUrl + pathname),
    ...parameters,
    '--header "Authorization: Bearer $TOKEN"',
  ].join(" ");
}

/** Quotes a text as one word for a POSIX shell. Nothing is special within single quotes. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
