import type {
  AggregateDeliveryDataOptions,
  DeliveryDataDimension,
  ListDeliveryDataOptions,
  ListIncidentsOptions,
} from "@waybill/client";
import { listDeliveryDataCall, urlOf } from "@waybill/client/requests";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatDay } from "#src/model/day.js";
import { ALL_APPS } from "#src/model/names.js";
import { entryFilter, labelConditions } from "#src/presentation/entry-filter.js";

/** Selects delivery-data entries. */
export interface EntriesSelection {
  /** Project id or number. */
  readonly project: string;
  readonly app: string;
  readonly range: DayRange;
  /** Labels to include, "" for messages without one; undefined for all. */
  readonly labels: readonly string[] | undefined;
  /** A label to leave out, "" for messages without one. */
  readonly exceptLabel?: string;
}

export interface GroupsQuery extends EntriesSelection {
  readonly groupBy: readonly DeliveryDataDimension[];
  /** Leaves out days with an incident of the label or the app. */
  readonly usualDatesOnly?: boolean;
}

export interface EntriesQuery extends EntriesSelection {
  readonly pageSize: number;
  /** Undefined for the first page. */
  readonly pageToken?: string | undefined;
}

export function sumsOf({ groupBy, usualDatesOnly, ...selection }: GroupsQuery): AggregateDeliveryDataOptions {
  const { project, app } = selection;
  return { project, app, filter: entryFilter(selection), groupBy, ...(usualDatesOnly && { usualDatesOnly }) };
}

export function listOf({ pageSize, ...selection }: Omit<EntriesQuery, "pageToken">): ListDeliveryDataOptions {
  const { project, app } = selection;
  return { project, app, filter: entryFilter(selection), pageSize };
}

/**
 * Converts a selection to client options for the incidents on any of its days. Includes incidents of the whole app:
 * if most labels changed together, the server reports only those.
 */
export function incidentsOf({
  project,
  app,
  range: { first, last },
  ...of
}: EntriesSelection): ListIncidentsOptions {
  const lasted = `startDate <= "${formatDay(last)}" AND (endDate >= "${formatDay(first)}" OR NOT endDate:*)`;
  const ofLabels = labelConditions(of).join(" AND ");
  const filter = ofLabels === "" ? lasted : `${lasted} AND (wholeApp = true OR (${ofLabels}))`;
  return { project, app, filter };
}

/** Client options for ongoing incidents in all apps of a project. */
export const ongoingIncidentsOf = (project: string): ListIncidentsOptions => ({
  project,
  app: ALL_APPS,
  filter: "NOT endDate:*",
});

/** Path and query with which the client requests a page of entries, relative to the messaging-data service URL. */
export function entriesRequest({ pageToken, ...query }: EntriesQuery): string {
  const { pathname, search } = urlOf(
    listDeliveryDataCall(listOf(query), pageToken),
    new URL("http://service/"),
  );
  return pathname + search;
}

/** Maximum number of entries on a page. */
const CURL_PAGE_SIZE = 10_000;

/**
 * Returns a POSIX shell command that prints the first 10,000 entries of a selection, with a page token if there are
 * more. It reads the access token from the variable TOKEN.
 *
 * @param serviceUrl messaging-data service URL, without a trailing slash
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

/** Quotes a text as one POSIX shell word. No character but the single quote is special within single quotes. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
