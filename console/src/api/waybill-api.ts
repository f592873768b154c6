import { type ListIncidentsOptions, type RetryOptions, WaybillClient, WaybillError } from "@waybill/client";
import type { DayRange } from "#console/model/days/day-range.js";
import {
  type Annotation,
  type AnnotationValues,
  annotationJson,
  annotationOf,
} from "#console/model/figures/annotation.js";
import { type Incident, incidentOf } from "#console/model/figures/incident.js";
import { type Counts, countsOf } from "#console/model/numbers/counts.js";
import type { AndroidDeliveryDataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { DeliveryDataGroupJson } from "#src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { AndroidMirrorGapJson } from "#src/gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { type Day, dayOfJson } from "#src/model/day.js";
import { numberOf } from "#src/presentation/field-text.js";
import { hasCounts } from "#src/presentation/mirrored-sums.js";
import { IncidentsApi } from "./incidents-api.js";
import { IntegrityApi } from "./integrity-api.js";
import { RegistryApi } from "./registry-api.js";
import {
  type EntriesQuery,
  type EntriesSelection,
  type GroupsQuery,
  incidentsOf,
  listOf,
  ongoingIncidentsOf,
  sumsOf,
} from "./requests.js";
import { TargetsApi } from "./targets-api.js";
import { ViewsApi } from "./views-api.js";

/** Sums of delivery-data entries. */
export interface DeliveryGroup {
  /** Undefined unless the sums are grouped by date. */
  readonly day: Day | undefined;
  /** Undefined unless the sums are grouped by app. */
  readonly app: string | undefined;
  /** Empty for messages without a label. Also empty unless the sums are grouped by label. */
  readonly label: string;
  readonly counts: Counts;
}

function groupOf({ appId, date, analyticsLabel = "", counts = {} }: DeliveryDataGroupJson): DeliveryGroup {
  return { day: date && dayOfJson(date), app: appId, label: analyticsLabel, counts: countsOf(counts) };
}

export interface Project {
  readonly id: string;
  /** Project number, in decimal. */
  readonly number: string;
  readonly isMirrored: boolean;
}

/** An app with delivery data. */
export interface AndroidApp {
  readonly id: string;
  /** From the first to the last day with entries. */
  readonly days: DayRange | undefined;
}

export interface EntriesPage {
  readonly entries: readonly AndroidDeliveryDataJson[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
}

/**
 * Called when a service rejects the token.
 *
 * @param problem the error message from the service
 * @param wasAdmitted true if the token was accepted before
 */
export type OnUnauthenticated = (problem: string, wasAdmitted: boolean) => void;

/** Service URLs, without a trailing slash. */
export interface ServiceUrls {
  readonly messagingData: string;
  /** Null if unknown. */
  readonly integrity: string | null;
  /** Null if unknown. */
  readonly registry: string | null;
}

/** Maximum number of projects, apps, incidents or annotations on a page. */
const MAX_PAGE_SIZE = 1_000;
/** Stops after a few seconds, because a person is waiting. */
const RETRY: RetryOptions = { attempts: 3 };

/** Never sends cookies: only the token identifies the caller. */
const fetchWithoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: "omit" });

/** Reads all data for the page with one access token. Every method throws `WaybillError`, or the abort reason. */
export class WaybillApi {
  /** Undefined if the app-integrity address is unknown. */
  readonly integrity: IntegrityApi | undefined;
  /** Undefined if the registry address is unknown. */
  readonly registry: RegistryApi | undefined;
  /** Acknowledgements and notes of incidents. */
  readonly inbox: IncidentsApi;
  readonly targets: TargetsApi;
  readonly views: ViewsApi;
  readonly #client: WaybillClient;
  readonly #onUnauthenticated: OnUnauthenticated;
  /** True once a service has accepted the token. */
  #wasAdmitted = false;

  constructor(
    { messagingData, integrity, registry }: ServiceUrls,
    token: string,
    onUnauthenticated: OnUnauthenticated,
  ) {
    this.#client = new WaybillClient({
      messagingDataUrl: messagingData,
      integrityUrl: integrity ?? undefined,
      registryUrl: registry ?? undefined,
      token,
      fetch: fetchWithoutCookies,
      retry: RETRY,
    });
    this.#onUnauthenticated = onUnauthenticated;
    const admitted = <T>(call: Promise<T>) => this.#admitted(call);
    this.inbox = new IncidentsApi(this.#client, admitted);
    this.targets = new TargetsApi(this.#client, admitted);
    this.views = new ViewsApi(this.#client, admitted);
    this.integrity = integrity === null ? undefined : new IntegrityApi(this.#client, admitted);
    this.registry = registry === null ? undefined : new RegistryApi(this.#client.registry, admitted);
  }

  /** Lists all projects that the token may read. */
  async projects(signal?: AbortSignal): Promise<readonly Project[]> {
    const list = this.#client.listProjects({ pageSize: MAX_PAGE_SIZE, signal });
    return (await this.#admitted(list.toArray())).map(({ projectId = "", name = "", mirrored = false }) => ({
      id: projectId,
      number: name.slice("projects/".length),
      isMirrored: mirrored,
    }));
  }

  async androidApps(project: string, signal?: AbortSignal): Promise<readonly AndroidApp[]> {
    const list = this.#client.listAndroidApps({ project, pageSize: MAX_PAGE_SIZE, signal });
    return (await this.#admitted(list.toArray())).map(({ appId = "", firstDate, lastDate }) => ({
      id: appId,
      days: firstDate && lastDate && { first: dayOfJson(firstDate), last: dayOfJson(lastDate) },
    }));
  }

  /** Returns sums of entries. Skips groups in which every mirrored entry lacks its figures. */
  async groups(query: GroupsQuery, signal?: AbortSignal): Promise<readonly DeliveryGroup[]> {
    const groups = await this.#admitted(this.#client.aggregateDeliveryData({ ...sumsOf(query), signal }));
    return groups.filter(hasCounts).map(groupOf);
  }

  /** Returns how many mirrored entries are excluded from sums because they lack figures. */
  async excludedEntries(selection: EntriesSelection, signal?: AbortSignal): Promise<number> {
    const sums = sumsOf({ ...selection, groupBy: [] });
    const [sum] = await this.#admitted(this.#client.aggregateDeliveryData({ ...sums, signal }));
    return numberOf(sum?.excludedEntryCount);
  }

  /** Lists mirror gaps, for one app or for all apps of a project. */
  mirrorGaps(
    { project, app }: Pick<EntriesSelection, "project" | "app">,
    signal?: AbortSignal,
  ): Promise<readonly AndroidMirrorGapJson[]> {
    const list = this.#client.listMirrorGaps({ project, app, pageSize: MAX_PAGE_SIZE, signal });
    return this.#admitted(list.toArray());
  }

  /** Lists all incidents that match a selection, newest first. */
  incidents(selection: EntriesSelection, signal?: AbortSignal): Promise<readonly Incident[]> {
    return this.#incidents(incidentsOf(selection), signal);
  }

  /** Lists ongoing incidents in all apps of a project, newest first. */
  ongoingIncidents(project: string, signal?: AbortSignal): Promise<readonly Incident[]> {
    return this.#incidents(ongoingIncidentsOf(project), signal);
  }

  /** Lists all annotations of a project, newest date first. */
  async annotations(project: string, signal?: AbortSignal): Promise<readonly Annotation[]> {
    const list = this.#client.annotations.list({ project, pageSize: MAX_PAGE_SIZE, signal });
    return (await this.#admitted(list.toArray())).map(annotationOf);
  }

  async createAnnotation(project: string, values: AnnotationValues): Promise<void> {
    await this.#admitted(this.#client.annotations.create({ project, resource: annotationJson(values) }));
  }

  async deleteAnnotation({ name, etag }: Annotation): Promise<void> {
    await this.#admitted(this.#client.annotations.delete({ name, etag }));
  }

  /** Returns a page of entries. Skips empty pages, which the service may return before the last one. */
  async entries({ pageToken, ...query }: EntriesQuery, signal?: AbortSignal): Promise<EntriesPage> {
    const list = this.#client.listDeliveryData({ ...listOf(query), signal });
    for (let token = pageToken; ; ) {
      const { androidDeliveryData = [], nextPageToken } = await this.#admitted(list.readPage(token));
      if (androidDeliveryData.length > 0 || nextPageToken === undefined) {
        return { entries: androidDeliveryData, nextPageToken };
      }
      token = nextPageToken;
    }
  }

  /** Yields all entries of a selection, page by page. */
  async *allEntries(
    selection: EntriesSelection,
    pageSize: number,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly AndroidDeliveryDataJson[], void, undefined> {
    const pages = this.#client.listDeliveryData({ ...listOf({ ...selection, pageSize }), signal }).pages();
    try {
      for await (const { androidDeliveryData = [] } of pages) yield androidDeliveryData;
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  async #incidents(options: ListIncidentsOptions, signal?: AbortSignal): Promise<readonly Incident[]> {
    const list = this.#client.listIncidents({ ...options, pageSize: MAX_PAGE_SIZE, signal });
    return (await this.#admitted(list.toArray())).map(incidentOf);
  }

  async #admitted<T>(call: Promise<T>): Promise<T> {
    try {
      const result = await call;
      this.#wasAdmitted = true;
      return result;
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  #noticed(error: unknown): unknown {
    if (error instanceof WaybillError && error.code === "UNAUTHENTICATED") {
      this.#onUnauthenticated(error.message, this.#wasAdmitted);
    }
    return error;
  }
}
