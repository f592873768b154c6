import type { Call, CallOptions } from "./calls/call.js";
import {
  type BatchGetAppAttestConfigsOptions,
  batchGetAppAttestConfigsCall,
  getAppAttestConfigCall,
  type ListAppsOptions,
  listAppsCall,
  type UpdateAppAttestConfigOptions,
  updateAppAttestConfigCall,
} from "./calls/integrity-calls.js";
import {
  type AggregateDeliveryDataOptions,
  aggregateDeliveryDataCall,
  importMessageEventsCalls,
  type ListAndroidAppsOptions,
  type ListDeliveryDataOptions,
  type ListIncidentsOptions,
  type ListMirrorGapsOptions,
  type ListProjectsOptions,
  listAndroidAppsCall,
  listDeliveryDataCall,
  listIncidentsCall,
  listMirrorGapsCall,
  listProjectsCall,
} from "./calls/messaging-data-calls.js";
import type { AppAttestConfigRef } from "./calls/resource-names.js";
import { type Transports, transportsOf, type WaybillClientOptions } from "./client-options.js";
import type {
  AppAttestConfigJson,
  AppJson,
  BatchGetAppAttestConfigsResponseJson,
  ListAppsResponseJson,
} from "./gen/waybill/integrity/v1/integrity_pb.js";
import type { AnnotationJson } from "./gen/waybill/messagingdata/v1beta1/annotation_pb.js";
import type { AndroidDeliveryDataJson } from "./gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { AndroidIncidentJson } from "./gen/waybill/messagingdata/v1beta1/incident_pb.js";
import type {
  AggregateAndroidDeliveryDataResponseJson,
  AndroidAppJson,
  DeliveryDataGroupJson,
  ListAndroidAppsResponseJson,
  ListAndroidDeliveryDataResponseJson,
  ListAndroidIncidentsResponseJson,
  ListAndroidMirrorGapsResponseJson,
  ListProjectsResponseJson,
  ProjectJson,
} from "./gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { AndroidMirrorGapJson } from "./gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import type { TargetJson } from "./gen/waybill/messagingdata/v1beta1/target_pb.js";
import { type ImportEventsOptions, type ImportProgress, importEvents } from "./import/event-import.js";
import { type ListPage, listCalls, type PagedList } from "./paged-list.js";
import { AttestationClient } from "./services/attestation-client.js";
import { IncidentsClient } from "./services/incidents-client.js";
import { RegistryClient } from "./services/registry-client.js";
import { ResourceClient } from "./services/resource-client.js";
import { ViewsClient } from "./services/views-client.js";
import type { Transport } from "./transport.js";

/** List of delivery data, newest date first. */
export type DeliveryDataList = PagedList<AndroidDeliveryDataJson, ListAndroidDeliveryDataResponseJson>;

/** List of incidents, newest start first. */
export type IncidentList = PagedList<AndroidIncidentJson, ListAndroidIncidentsResponseJson>;

/** List of mirror gaps, sorted by app. */
export type MirrorGapList = PagedList<AndroidMirrorGapJson, ListAndroidMirrorGapsResponseJson>;

/**
 * A client for all services, for Node.js and browsers, with a method for each operation of the API. Results are
 * ProtoJSON: 64-bit integers are strings, and zero or empty values are omitted.
 *
 * Failed calls throw a {@link WaybillError}. Temporary failures are retried first. The error's `code` is
 * `UNAUTHENTICATED` if the token is rejected, `PERMISSION_DENIED` if the scope or role is missing, `INVALID_ARGUMENT` for
 * an invalid parameter, and `UNAVAILABLE` if the server cannot be reached. Methods document further codes. An aborted
 * call throws the abort reason. A call to a service without an address throws a `TypeError`.
 *
 * @example
 * const client = new WaybillClient({ messagingDataUrl: "http://127.0.0.1:8081", token: "…" });
 * for await (const { date, data } of client.listDeliveryData({ project: "shop", app: "1:5:android:dd" })) {
 *   console.log(date, data?.countMessagesAccepted);
 * }
 */
export class WaybillClient {
  readonly #transports: Transports;
  /** Attestation, app tokens, debug tokens and attested keys, in the app-integrity service. */
  readonly attestation: AttestationClient;
  /** Projects, apps, access policies and audit entries, in the registry service. */
  readonly registry: RegistryClient;
  /** Acknowledgements and notes of incidents, in the messaging-data service. */
  readonly incidents: IncidentsClient;
  /** Annotations of projects, in the messaging-data service. */
  readonly annotations: ResourceClient<AnnotationJson, "annotations">;
  /** Targets of projects, in the messaging-data service. */
  readonly targets: ResourceClient<TargetJson, "targets">;
  /** Saved views of the console, in the messaging-data service. */
  readonly views: ViewsClient;

  /** @throws TypeError if an address is invalid; RangeError if a `retry` option is out of range. */
  constructor(options: WaybillClientOptions) {
    this.#transports = transportsOf(options);
    this.attestation = new AttestationClient(() => this.#transport("integrity"));
    this.registry = new RegistryClient(() => this.#transport("registry"));
    this.incidents = new IncidentsClient(() => this.#transport("messagingData"));
    this.annotations = new ResourceClient("annotations", () => this.#transport("messagingData"));
    this.targets = new ResourceClient("targets", () => this.#transport("messagingData"));
    this.views = new ViewsClient(() => this.#transport("messagingData"));
  }

  /**
   * Lists a project's registered apps, sorted by app id in byte order (`ListApps`).
   *
   * @example
   * for await (const { name, appId } of client.listApps({ project: "shop" })) console.log(name, appId);
   */
  listApps(request: ListAppsOptions): PagedList<AppJson, ListAppsResponseJson> {
    return this.#list("integrity", listAppsCall, request, ({ apps }) => apps);
  }

  /**
   * Returns an app's app-attestation configuration (`GetAppAttestConfig`). `tokenTtl` is in seconds with the suffix
   * `s`, such as `"3600s"`. A configuration that was never changed has no `etag`.
   *
   * @throws WaybillError `NOT_FOUND` if the app is not registered.
   * @example
   * const { tokenTtl } = await client.getAppAttestConfig({ project: "shop", app: "1:5:ios:aa" });
   */
  async getAppAttestConfig(request: AppAttestConfigRef & CallOptions): Promise<AppAttestConfigJson> {
    return this.#transport("integrity").call(getAppAttestConfigCall(request), request);
  }

  /**
   * Returns the configurations of several apps in the requested order (`BatchGetAppAttestConfigs`, AIP-231). Without
   * `apps`, returns all configurations that have been set, sorted by app id in byte order.
   *
   * @throws WaybillError `NOT_FOUND` if any of the apps is not registered.
   * @example
   * const apps = ["1:5:ios:aa", "1:5:android:dd"];
   * const [ios, android] = await client.batchGetAppAttestConfigs({ project: "shop", apps });
   */
  async batchGetAppAttestConfigs(request: BatchGetAppAttestConfigsOptions): Promise<AppAttestConfigJson[]> {
    const call = batchGetAppAttestConfigsCall(request);
    // Without app ids, the server would return all configurations.
    if (request.apps?.length === 0) return [];
    const { configs = [] } = await this.#transport("integrity").call<BatchGetAppAttestConfigsResponseJson>(
      call,
      request,
    );
    return configs;
  }

  /**
   * Changes an app's configuration and returns the new one (`UpdateAppAttestConfig`, AIP-134). `updateMask` lists the
   * fields to change, separated by commas, or `*` for all. A listed field that `appAttestConfig` omits is reset to its
   * default. `tokenTtl` must be 30 minutes to 7 days, in seconds.
   *
   * After an unknown outcome, only calls with an `etag` are retried. Without an `etag`, a retry could undo another
   * change.
   *
   * @throws WaybillError `ABORTED` if the configuration no longer has this `etag`. After a lost response, the previous
   *   attempt may have made the change; its error is then the `cause`. `NOT_FOUND` if the app is not registered.
   * @example
   * const config = await client.getAppAttestConfig({ project: "shop", app: "1:5:ios:aa" });
   * const appAttestConfig = { ...config, tokenTtl: "7200s" };
   * await client.updateAppAttestConfig({ appAttestConfig, updateMask: "tokenTtl" });
   */
  async updateAppAttestConfig(request: UpdateAppAttestConfigOptions): Promise<AppAttestConfigJson> {
    return this.#transport("integrity").call(updateAppAttestConfigCall(request), request);
  }

  /**
   * Lists an app's delivery data, newest date first, then by analytics label in byte order
   * (`ListAndroidDeliveryData`). The app `-` stands for all apps of the project (AIP-159). Dates are in the time zone
   * America/Los_Angeles. Percentages are not rounded. An unknown app has an empty list.
   *
   * In a project that mirrors another service, entries are exactly as that service listed them, and may lack figures.
   * With `asOf`, they are listed as of an earlier time.
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the reason `INVALID_AS_OF` for `asOf` in any other project.
   * @example
   * const filter = 'date >= "2025-03-01" AND analyticsLabel = "spring"';
   * for await (const { date, data } of client.listDeliveryData({ project: "shop", app: "-", filter })) {
   *   console.log(date, data?.messageOutcomePercents?.delivered);
   * }
   */
  listDeliveryData(request: ListDeliveryDataOptions): DeliveryDataList {
    return this.#list(
      "messagingData",
      listDeliveryDataCall,
      request,
      ({ androidDeliveryData }) => androidDeliveryData,
    );
  }

  /**
   * Sums an app's delivery data on the server (`AggregateAndroidDeliveryData`). Returns one group for each combination
   * of the dimensions in `groupBy` that has entries, newest date first, then by app id and label in byte order.
   * `counts` are numbers of messages or notifications. Divide them to get weighted percentages.
   *
   * In a project that mirrors another service, groups have `fromPercentages`, and `counts` exclude entries without
   * figures (`excludedEntryCount`).
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the reason `TOO_MANY_GROUPS` for more than 10,000 groups.
   * @example
   * const request = { project: "shop", app: "-", groupBy: ["DATE"] } as const;
   * for (const { date, counts } of await client.aggregateDeliveryData(request)) {
   *   console.log(date, Number(counts?.delivered ?? 0) / Number(counts?.countMessagesAccepted));
   * }
   */
  async aggregateDeliveryData(request: AggregateDeliveryDataOptions): Promise<DeliveryDataGroupJson[]> {
    const { groups = [] } = await this.#transport(
      "messagingData",
    ).call<AggregateAndroidDeliveryDataResponseJson>(aggregateDeliveryDataCall(request), request);
    return groups;
  }

  /**
   * Lists an app's incidents, newest start first (`ListAndroidIncidents`). An incident is a series of days on which an
   * outcome's share or the number of messages was outside its usual range, for a label or for the whole app. An incident
   * without an `endDate` is ongoing. The app `-` stands for all apps of the project (AIP-159).
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the reason `TOO_MANY_APPS` for `-` in a project with more than 1,000
   *   apps.
   * @example
   * const ongoing = client.listIncidents({ project: "shop", app: "-", filter: "NOT endDate:*" });
   * for await (const { appId, analyticsLabel, wholeApp, outcome, startDate } of ongoing) {
   *   console.log(appId, wholeApp ? "as a whole" : analyticsLabel, outcome, startDate);
   * }
   */
  listIncidents(request: ListIncidentsOptions): IncidentList {
    return this.#list("messagingData", listIncidentsCall, request, ({ incidents }) => incidents);
  }

  /**
   * Lists the gaps in an app's mirror (`ListAndroidMirrorGaps`): overdue dates, and reasons why no new dates arrive, by
   * kind, then newest date first. The app `-` stands for all apps of the project (AIP-159). Projects with delivery data
   * from events have no gaps.
   *
   * @example
   * for await (const { appId, kind, date, expireDate } of client.listMirrorGaps({ project: "shop", app: "-" })) {
   *   console.log(appId, kind, date, expireDate);
   * }
   */
  listMirrorGaps(request: ListMirrorGapsOptions): MirrorGapList {
    return this.#list("messagingData", listMirrorGapsCall, request, ({ gaps }) => gaps);
  }

  /**
   * Lists the projects that the caller may read, sorted by number (`ListProjects`). The list may be empty.
   *
   * @example
   * const ids = (await client.listProjects().toArray()).map(({ projectId }) => projectId);
   */
  listProjects(request: ListProjectsOptions = {}): PagedList<ProjectJson, ListProjectsResponseJson> {
    return this.#list("messagingData", listProjectsCall, request, ({ projects }) => projects);
  }

  /**
   * Lists the Android apps with delivery data in a project, sorted by app id in byte order (`ListAndroidApps`). Each
   * has the first and last date of its data.
   *
   * @example
   * for await (const { appId, lastDate } of client.listAndroidApps({ project: "shop" })) {
   *   console.log(appId, lastDate?.year, lastDate?.month, lastDate?.day);
   * }
   */
  listAndroidApps(request: ListAndroidAppsOptions): PagedList<AndroidAppJson, ListAndroidAppsResponseJson> {
    return this.#list("messagingData", listAndroidAppsCall, request, ({ androidApps }) => androidApps);
  }

  /**
   * Imports message events (`ImportMessageEvents`), in requests of about 16 MiB with whole lines. Resolves with the
   * counts when all events are on disk. Lost requests are repeated, because importing an event again changes nothing.
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the rejected lines as `violations`, by line number in `events`. Events
   *   of that request are not stored. Events of earlier requests stay stored.
   * @example
   * const events = new Blob(['{"appId":"1:5:android:dd", …}\n']).stream();
   * const { importedCount } = await client.importEvents({ project: "shop", events });
   */
  async importEvents({ project, events, ...options }: ImportEventsOptions): Promise<ImportProgress> {
    const transport = this.#transport("messagingData");
    const callOf = importMessageEventsCalls(project, options.skipInvalid);
    return importEvents((lines) => transport.call(callOf(lines), options), events, options);
  }

  #list<Request extends CallOptions, Item, Page extends ListPage>(
    service: keyof Transports,
    callOf: (request: Request, pageToken?: string) => Call,
    request: Request,
    itemsOf: (page: Page) => readonly Item[] | undefined,
  ): PagedList<Item, Page> {
    return listCalls(() => this.#transport(service), callOf, request, itemsOf);
  }

  #transport(service: keyof Transports): Transport {
    const transport = this.#transports[service];
    if (transport === undefined) throw new TypeError(`${service}Url is not set`);
    return transport;
  }
}
