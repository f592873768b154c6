import type { AggregateAndroidDeliveryDataRequest_DimensionJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { type Call, type CallOptions, read } from "./call.js";
import { type AndroidAppRef, parentOf, pathOf } from "./resource-names.js";

/** A dimension for grouping entries. */
export type DeliveryDataDimension = Exclude<
  AggregateAndroidDeliveryDataRequest_DimensionJson,
  "DIMENSION_UNSPECIFIED"
>;

/** Request to list an app's delivery data. */
export type ListDeliveryDataOptions = AndroidAppRef &
  CallOptions & {
    /** Filter for entries (AIP-160), such as `date >= "2025-03-01"`. */
    readonly filter?: string | undefined;
    /** Time (RFC 3339), such as `2026-11-14T08:00:00Z`. Lists entries as the mirror had them at this time. */
    readonly asOf?: string | undefined;
    /** Maximum number of entries per page, up to 10,000; 1,000 by default. */
    readonly pageSize?: number | undefined;
  };

/** Request to sum an app's delivery data. */
export type AggregateDeliveryDataOptions = AndroidAppRef &
  CallOptions & {
    /** Filter for entries (AIP-160), such as `date >= "2025-03-01"`. */
    readonly filter?: string | undefined;
    /** Dimensions to group by, each at most once. Without dimensions, the result is a single group. */
    readonly groupBy?: readonly DeliveryDataDimension[] | undefined;
    /**
     * Leaves out dates with an incident of the label or the app, so that shares are the usual ones. Not for the app
     * `-`.
     */
    readonly usualDatesOnly?: boolean | undefined;
  };

/** Request to list an app's incidents. */
export type ListIncidentsOptions = AndroidAppRef &
  CallOptions & {
    /** Filter for incidents (AIP-160). For example, `NOT endDate:*` selects ongoing incidents. */
    readonly filter?: string | undefined;
    /** Maximum number of incidents per page, up to 1,000; 100 by default. */
    readonly pageSize?: number | undefined;
  };

/** Request to list the gaps in an app's mirror. */
export type ListMirrorGapsOptions = AndroidAppRef &
  CallOptions & {
    /** Maximum number of gaps per page, up to 1,000; 100 by default. */
    readonly pageSize?: number | undefined;
  };

/** Request to list the projects that the caller may read. */
export interface ListProjectsOptions extends CallOptions {
  /** Maximum number of projects per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** Request to list a project's Android apps. */
export interface ListAndroidAppsOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** Maximum number of apps per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

export function listDeliveryDataCall(request: ListDeliveryDataOptions, pageToken?: string): Call {
  const { filter, asOf, pageSize } = request;
  return read(`${appPath(request)}/deliveryData`, { filter, asOf, pageSize, pageToken });
}

export function aggregateDeliveryDataCall(request: AggregateDeliveryDataOptions): Call {
  const { filter, groupBy, usualDatesOnly } = request;
  const query = { filter, groupBy, ...(usualDatesOnly && { usualDatesOnly: "true" }) };
  return read(`${appPath(request)}/deliveryData:aggregate`, query);
}

export function listIncidentsCall(request: ListIncidentsOptions, pageToken?: string): Call {
  const { filter, pageSize } = request;
  return read(`${appPath(request)}/incidents`, { filter, pageSize, pageToken });
}

export function listMirrorGapsCall(request: ListMirrorGapsOptions, pageToken?: string): Call {
  return read(`${appPath(request)}/mirrorGaps`, { pageSize: request.pageSize, pageToken });
}

export function listProjectsCall({ pageSize }: ListProjectsOptions, pageToken?: string): Call {
  return read("v1beta1/projects", { pageSize, pageToken });
}

export function listAndroidAppsCall({ project, pageSize }: ListAndroidAppsOptions, pageToken?: string): Call {
  return read(`${projectPath(project)}/androidApps`, { pageSize, pageToken });
}

/**
 * Returns a function that creates `ImportMessageEvents` calls. The calls may be repeated, because importing an event
 * again changes nothing.
 */
export function importMessageEventsCalls(
  project: string,
  skipInvalid = false,
): (events: Uint8Array<ArrayBuffer>) => Call {
  const path = `${projectPath(project)}/messageEvents:import`;
  return (events) => ({
    httpMethod: "POST",
    path,
    ...(skipInvalid && { query: { skipInvalid: "true" } }),
    body: { type: "application/x-ndjson", content: events },
    repeatable: true,
  });
}

const projectPath = (project: string): string => `v1beta1/${pathOf(`projects/${project}`, "projects/*")}`;

const appPath = (ref: AndroidAppRef): string =>
  `v1beta1/${pathOf(parentOf(ref), "projects/*/androidApps/*")}`;
