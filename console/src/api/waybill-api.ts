import { type ListIncidentsOptions, type RetryOptions, WaybillClient, WaybillError } from "@waybill/client";
import { type Incident, incidentOf } from "#console/model/figures/incident.js";
import { type Counts, countsOf } from "#console/model/numbers/counts.js";
import type { AppAttestConfigJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";
import type { AndroidDeliveryDataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type {
  AndroidAppJson,
  DeliveryDataGroupJson,
  ProjectJson,
} from "#src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { AndroidMirrorGapJson } from "#src/gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { type Day, dayOfJson } from "#src/model/day.js";
import {
  type EntriesQuery,
  type EntriesSelection,
  type GroupsQuery,
  incidentsOf,
  listOf,
  ongoingIncidentsOf,
  sumsOf,
} from "./requests.js";

/** Sums of delivery-data entries. */
export interface DeliveryGroup {
  /** Undefined unless the sums are grouped by date. */
  readonly day: Day | undefined;
  /** Undefined unless the sums are grouped by app. */
  readonly app: string | undefined;
  /** Empty for messages without a label, and unless the sums are grouped by label. */
  readonly label: string;
  readonly counts: Counts;
}

/** Reads a group from the service's JSON. */
export function groupOf({
  appId,
  date,
  analyticsLabel = "",
  counts = {},
}: DeliveryDataGroupJson): DeliveryGroup {
  return { day: date && dayOfJson(date), app: appId, label: analyticsLabel, counts: countsOf(counts) };
}

/** An app of the app-integrity service with its attestation configuration. */
export interface AttestedApp {
  readonly appId: string;
  readonly config: AppAttestConfigJson;
}

export interface EntriesPage {
  readonly entries: readonly AndroidDeliveryDataJson[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
}

/**
 * Called when a service rejects the token.
 * @param problem the reason, in a sentence of the service
 * @param wasAdmitted true if the token was accepted before
 */
export type OnUnauthenticated = (problem: string, wasAdmitted: boolean) => void;

/** Addresses of the services, without a trailing slash. */
export interface ServiceUrls {
  readonly messagingData: string;
  /** Null if unknown. */
  readonly integrity: string | null;
}

/** Most names in one `batchGet` request. */
const MAX_NAMES = 100;
/** Most projects, apps or incidents on one page. */
const MAX_PAGE_SIZE = 1_000;
/** Gives up after some seconds, because somebody is waiting. */
const RETRY: RetryOptions = { attempts: 3 };

/** Only the token identifies the caller; never sends cookies. */
const fetchWithoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: "omit" });

/**
 * Reads everything that the page shows, on behalf of the holder of one token. Every method throws
 * `WaybillError`, or the reason of the signal.
 */
export class WaybillApi {
  /** True if the address of the app-integrity service is known. */
  readonly knowsIntegrity: boolean;
  readonly #client: WaybillClient;
  readonly #onUnauthenticated: OnUnauthenticated;
  /** True once a service has accepted the token. */
  #wasAdmitted = false;

  constructor(
    { messagingData, integrity }: ServiceUrls,
    token: string,
    onUnauthenticated: OnUnauthenticated,
  ) {
    this.knowsIntegrity = integrity !== null;
    this.#client = new WaybillClient({
      messagingDataUrl: messagingData,
      integrityUrl: integrity ?? undefined,
      token,
      fetch: fetchWithoutCookies,
      retry: RETRY,
    });
    this.#onUnauthenticated = onUnauthenticated;
  }

  /** All projects that the holder of the token may read. */
  projects(signal?: AbortSignal): Promise<readonly ProjectJson[]> {
    return this.#admitted(this.#client.listProjects({ pageSize: MAX_PAGE_SIZE, signal }).toArray());
  }

  /** All Android apps of a project. */
  androidApps(project: string, signal?: AbortSignal): Promise<readonly AndroidAppJson[]> {
    return this.#admitted(
      this.#client.listAndroidApps({ project, pageSize: MAX_PAGE_SIZE, signal }).toArray(),
    );
  }

  /** Sums of entries. Groups of a mirror whose entries all lack their figures are left out, as if without entries. */
  async groups(query: GroupsQuery, signal?: AbortSignal): Promise<readonly DeliveryGroup[]> {
    const groups = await this.#admitted(this.#client.aggregateDeliveryData({ ...sumsOf(query), signal }));
    return groups
      .filter(
        ({ excludedEntryCount, counts }) => excludedEntryCount === undefined || counts?.countMessagesAccepted,
      )
      .map(groupOf);
  }

  /** Number of entries of a mirror that are not in its sums, because they lack their figures. */
  async excludedEntries(selection: EntriesSelection, signal?: AbortSignal): Promise<number> {
    const sums = sumsOf({ ...selection, groupBy: [] });
    const [sum] = await this.#admitted(this.#client.aggregateDeliveryData({ ...sums, signal }));
    return Number(sum?.excludedEntryCount ?? 0);
  }

  /** The gaps in the mirror of an app, or of all apps. */
  mirrorGaps(
    { project, app }: Pick<EntriesSelection, "project" | "app">,
    signal?: AbortSignal,
  ): Promise<readonly AndroidMirrorGapJson[]> {
    const list = this.#client.listMirrorGaps({ project, app, pageSize: MAX_PAGE_SIZE, signal });
    return this.#admitted(list.toArray());
  }

  /** All incidents of a selection, newest first. */
  incidents(selection: EntriesSelection, signal?: AbortSignal): Promise<readonly Incident[]> {
    return this.#incidents(incidentsOf(selection), signal);
  }

  /** The incidents of all apps of a project that go on, newest first. */
  ongoingIncidents(project: string, signal?: AbortSignal): Promise<readonly Incident[]> {
    return this.#incidents(ongoingIncidentsOf(project), signal);
  }

  /** One page of entries: empty only at the end of the list, although the service may give empty ones before. */
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

  /** All entries of a selection, page by page. */
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

  /** All apps of a project in the app-integrity service, with their configurations. */
  async attestedApps(project: string, signal?: AbortSignal): Promise<readonly AttestedApp[]> {
    const list = this.#client.listApps({ project, pageSize: MAX_PAGE_SIZE, signal });
    const appIds = (await this.#admitted(list.toArray())).map(({ appId = "" }) => appId);
    const attested: AttestedApp[] = [];
    for (let start = 0; start < appIds.length; start += MAX_NAMES) {
      const apps = appIds.slice(start, start + MAX_NAMES);
      const configs = await this.#admitted(this.#client.batchGetAppAttestConfigs({ project, apps, signal }));
      apps.forEach((appId, index) => {
        attested.push({ appId, config: configs[index] ?? {} });
      });
    }
    return attested;
  }

  async #incidents(options: ListIncidentsOptions, signal?: AbortSignal): Promise<readonly Incident[]> {
    const list = this.#client.listIncidents({ ...options, pageSize: MAX_PAGE_SIZE, signal });
    return (await this.#admitted(list.toArray())).map(incidentOf);
  }

  async #admitted<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      this.#wasAdmitted = true;
      return answer;
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
