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
import { type ImportEventsOptions, type ImportProgress, importEvents } from "./import/event-import.js";
import { type ListPage, PagedList, type ReadPage } from "./paged-list.js";
import type { Transport } from "./transport.js";

/** Delivery data, newest date first. */
export type DeliveryDataList = PagedList<AndroidDeliveryDataJson, ListAndroidDeliveryDataResponseJson>;

/** Incidents, newest start first. */
export type IncidentList = PagedList<AndroidIncidentJson, ListAndroidIncidentsResponseJson>;

/** Gaps in mirrors, by app. */
export type MirrorGapList = PagedList<AndroidMirrorGapJson, ListAndroidMirrorGapsResponseJson>;

/**
 * A client of both services, for Node.js and browsers. It has a method for each operation of the contract.
 * Answers have the JSON form of the contract: 64-bit integers are strings, and zero or empty values are
 * omitted.
 *
 * Failed calls throw a `WaybillError`, temporary failures only after retries. Its `code` is
 * `UNAUTHENTICATED` if the token is rejected, `PERMISSION_DENIED` without the required scope or role,
 * `INVALID_ARGUMENT` for a bad parameter, and `UNAVAILABLE` if the server cannot be reached; methods name
 * further codes. A call whose signal aborts throws the signal's reason. A call to a service without an
 * address throws a `TypeError`.
 *
 * @example
 * const client = new WaybillClient({ messagingDataUrl: "http://127.0.0.1:8081", token: "…" });
 * for await (const { date, data } of client.listDeliveryData({ project: "shop", app: "1:5:android:dd" })) {
 *   console.log(date, data?.countMessagesAccepted);
 * }
 */
export class WaybillClient {
  readonly #transports: Transports;

  /** @throws TypeError if an address is invalid; RangeError if an option of `retry` is out of range. */
  constructor(options: WaybillClientOptions) {
    this.#transports = transportsOf(options);
  }

  /**
   * Lists the registered apps of a project, by app id in byte order (`ListApps`).
   *
   * @example
   * for await (const { name, appId } of client.listApps({ project: "shop" })) console.log(name, appId);
   */
  listApps(request: ListAppsOptions): PagedList<AppJson, ListAppsResponseJson> {
    return this.#list("integrity", listAppsCall, request, ({ apps }) => apps);
  }

  /**
   * Returns the app-attestation configuration of an app (`GetAppAttestConfig`). Its `tokenTtl` is a number of
   * seconds with the suffix `s`, such as `"3600s"`; its `etag` is absent until somebody has changed it.
   *
   * @throws WaybillError `NOT_FOUND` if the app is not registered.
   * @example
   * const { tokenTtl } = await client.getAppAttestConfig({ project: "shop", app: "1:5:ios:aa" });
   */
  async getAppAttestConfig(request: AppAttestConfigRef & CallOptions): Promise<AppAttestConfigJson> {
    return this.#transport("integrity").call(getAppAttestConfigCall(request), request);
  }

  /**
   * Returns the configurations of several apps in the requested order, or of all apps that have one by app id
   * in byte order (`BatchGetAppAttestConfigs`, AIP-231).
   *
   * @throws WaybillError `NOT_FOUND` if one of the apps is not registered. The call then returns no
   *   configuration.
   * @example
   * const apps = ["1:5:ios:aa", "1:5:android:dd"];
   * const [ios, android] = await client.batchGetAppAttestConfigs({ project: "shop", apps });
   */
  async batchGetAppAttestConfigs(request: BatchGetAppAttestConfigsOptions): Promise<AppAttestConfigJson[]> {
    const call = batchGetAppAttestConfigsCall(request);
    // Without names, the server would return all configurations.
    if (request.apps?.length === 0) return [];
    const { configs = [] } = await this.#transport("integrity").call<BatchGetAppAttestConfigsResponseJson>(
      call,
      request,
    );
    return configs;
  }

  /**
   * Changes the configuration of an app and returns the new configuration (`UpdateAppAttestConfig`, AIP-134).
   * `updateMask` names the fields to change, separated by commas; `*` is all. A field in the mask that
   * `appAttestConfig` lacks is reset to its default. `tokenTtl` may be 30 minutes to 7 days, in seconds.
   *
   * Only a call with an `etag` is retried after an unknown outcome. Without one, setting the same fields
   * again is not safe: another change may have followed, which a retry would undo.
   *
   * @throws WaybillError `ABORTED` if the configuration no longer has the `etag`. After a lost answer, the
   *   change that came first may be this one: the `cause` is then the error of the earlier attempt.
   *   `NOT_FOUND` if the app is not registered.
   * @example
   * const config = await client.getAppAttestConfig({ project: "shop", app: "1:5:ios:aa" });
   * const appAttestConfig = { ...config, tokenTtl: "7200s" };
   * await client.updateAppAttestConfig({ appAttestConfig, updateMask: "tokenTtl" });
   */
  async updateAppAttestConfig(request: UpdateAppAttestConfigOptions): Promise<AppAttestConfigJson> {
    return this.#transport("integrity").call(updateAppAttestConfigCall(request), request);
  }

  /**
   * Lists the delivery data of an app, newest date first, then by analytics label in byte order
   * (`ListAndroidDeliveryData`). The app `-` stands for all apps of the project (AIP-159). Dates are those of
   * America/Los_Angeles, percentages unrounded. An unknown app has an empty list. In a project that mirrors another
   * service, entries are as that service gave them, and may lack figures; `asOf` lists them as they were.
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
   * Sums the delivery data of an app on the server (`AggregateAndroidDeliveryData`). Returns a group for each
   * date, app or label, or combination of them, that has entries, newest date first, then by app id and by label
   * in byte order. Its `counts` are messages, or proxied notifications; percentages weighted by them follow by
   * division. In a project that mirrors another service, groups are `fromPercentages`, and an `excludedEntryCount` of
   * entries without figures is not in the counts.
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
   * Lists the incidents of an app, newest start first (`ListAndroidIncidents`): runs of days on which the share of an
   * outcome was out of its usual band, of a label or of the whole app. The app `-` stands for all apps of the project
   * (AIP-159). An incident without an `endDate` goes on.
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the reason `TOO_MANY_APPS` for `-` in a project of more than 1,000 apps.
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
   * Lists what is missing in the mirror of an app, and what keeps more from coming (`ListAndroidMirrorGaps`), by kind, then
   * newest date first. The app `-` stands for all apps of the project (AIP-159). A project whose delivery data are computed
   * from events has no gaps.
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
   * Lists the projects that the caller may read, by number (`ListProjects`). The list may be empty.
   *
   * @example
   * const ids = (await client.listProjects().toArray()).map(({ projectId }) => projectId);
   */
  listProjects(request: ListProjectsOptions = {}): PagedList<ProjectJson, ListProjectsResponseJson> {
    return this.#list("messagingData", listProjectsCall, request, ({ projects }) => projects);
  }

  /**
   * Lists the Android apps of a project that have delivery data, by app id in byte order, with the first and
   * the last date of their data (`ListAndroidApps`).
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
   * Imports message events in requests of whole lines (`ImportMessageEvents`); resolves with the counts when
   * all are on disk. Lost requests are sent again, because importing an event again changes nothing.
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the rejected lines, by their number in `events`, as
   *   `violations`. No event of that request is stored; those of earlier requests stay stored.
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
    const read: ReadPage<Page> = async (pageToken, signal) =>
      this.#transport(service).call(callOf(request, pageToken), { signal });
    return new PagedList(read, itemsOf, request.signal);
  }

  #transport(service: keyof Transports): Transport {
    const transport = this.#transports[service];
    if (transport === undefined) throw new TypeError(`the client has no ${service}Url`);
    return transport;
  }
}
