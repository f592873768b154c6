import type {
  AppAttestConfigJson,
  BatchGetAppAttestConfigsResponseJson,
  UpdateAppAttestConfigRequestJson,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import type {
  ImportMessageEventsResponseJson,
  ListAndroidDeliveryDataResponseJson,
} from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { DeliveryDataList } from "./delivery-data-list.js";
import { type EventSource, type ImportOptions, type ImportProgress, importEvents } from "./event-import.js";
import {
  type AndroidAppRef,
  type AppAttestConfigRef,
  appAttestConfigName,
  nameOf,
  parentOf,
  pathOf,
} from "./resource-names.js";
import { type RetryOptions, retryPolicy } from "./retrying.js";
import { serviceUrl } from "./service-url.js";
import { type Token, TokenSource } from "./token-source.js";
import { Transport } from "./transport.js";

/** Options of a {@link WaybillClient}. */
export interface WaybillClientOptions {
  /** Base address of the app-integrity service, such as `http://127.0.0.1:8080`. */
  readonly integrityUrl?: string | undefined;
  /** Base address of the messaging-data service, such as `http://127.0.0.1:8081`. */
  readonly messagingDataUrl?: string | undefined;
  /**
   * Access token, or a function that gets one. The function is called before the first call and after the
   * server rejects a token.
   */
  readonly token: Token;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly retry?: RetryOptions | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, also between attempts. The call then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A request for several app-attestation configurations of a project. */
export interface BatchGetAppAttestConfigsOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** Ids of the apps, at most 100. If omitted: all apps whose configuration has been set. */
  readonly apps?: readonly string[] | undefined;
}

/** A change of the app-attestation configuration named by its `name`. */
export type UpdateAppAttestConfigOptions = Required<UpdateAppAttestConfigRequestJson> & CallOptions;

/** A request for the delivery data of an app. */
export type ListDeliveryDataOptions = AndroidAppRef &
  CallOptions & {
    /** Filter for entries (AIP-160), such as `date >= "2025-03-01"`. */
    readonly filter?: string | undefined;
    /** Maximum entries in a page; 1,000 by default. */
    readonly pageSize?: number | undefined;
  };

/** Events to import. */
export interface ImportEventsOptions extends ImportOptions, CallOptions {
  /** Id or number of the project that sent the messages. */
  readonly project: string;
  /** One JSON event per line. */
  readonly events: EventSource;
}

/**
 * A client of both services, for Node.js and browsers. Failed calls throw a {@link WaybillError}, temporary
 * failures only after retries.
 *
 * @example
 * const client = new WaybillClient({ messagingDataUrl: "http://127.0.0.1:8081", token });
 * for await (const { date, data } of client.listDeliveryData({ project: "shop", app: "1:5:android:dd" })) {
 *   console.log(date, data?.countMessagesAccepted);
 * }
 */
export class WaybillClient {
  readonly #integrity: Transport | undefined;
  readonly #messagingData: Transport | undefined;

  /** @throws TypeError if an address is invalid; RangeError if an option of `retry` is out of range. */
  constructor(options: WaybillClientOptions) {
    const tokens = new TokenSource(options.token);
    const retry = retryPolicy(options.retry);
    // Browsers require `fetch` to be called with the global object as `this`.
    const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
    const transport = (address: string | undefined, name: string, service: string) =>
      address === undefined
        ? undefined
        : new Transport({ url: serviceUrl(address, name), service, tokens, fetch, retry });
    this.#integrity = transport(options.integrityUrl, "integrityUrl", "app-integrity");
    this.#messagingData = transport(options.messagingDataUrl, "messagingDataUrl", "messaging-data");
  }

  /** Returns the app-attestation configuration of an app. */
  async getAppAttestConfig(request: AppAttestConfigRef & CallOptions): Promise<AppAttestConfigJson> {
    return (await given(this.#integrity, "integrityUrl").call({
      httpMethod: "GET",
      path: configPath(nameOf(request)),
      repeatable: true,
      signal: request.signal,
    })) as AppAttestConfigJson;
  }

  /** Returns the configurations of several apps in the requested order. Fails if any of them fails. */
  async batchGetAppAttestConfigs(request: BatchGetAppAttestConfigsOptions): Promise<AppAttestConfigJson[]> {
    const { project, apps, signal } = request;
    const parent = pathOf(`projects/${project}`, "projects/*");
    // Without names, the server would return all configurations.
    if (apps?.length === 0) return [];
    const { configs = [] } = (await given(this.#integrity, "integrityUrl").call({
      httpMethod: "GET",
      path: `v1/${parent}/apps/-/appAttestConfig:batchGet`,
      query: { names: apps?.map((app) => appAttestConfigName(project, app)) },
      repeatable: true,
      signal,
    })) as BatchGetAppAttestConfigsResponseJson;
    return configs;
  }

  /**
   * Changes the configuration of an app and returns the new configuration. With the `etag` of the
   * configuration that was read, the call fails with `ABORTED` if the configuration has changed since. Only a
   * call with an `etag` is retried after an unknown outcome: a retry without one could undo somebody else's
   * change.
   */
  async updateAppAttestConfig(request: UpdateAppAttestConfigOptions): Promise<AppAttestConfigJson> {
    const { appAttestConfig, updateMask, signal } = request;
    return (await given(this.#integrity, "integrityUrl").call({
      httpMethod: "PATCH",
      path: configPath(appAttestConfig.name ?? ""),
      query: { updateMask },
      body: { type: "application/json", content: JSON.stringify(appAttestConfig) },
      repeatable: appAttestConfig.etag !== undefined,
      signal,
    })) as AppAttestConfigJson;
  }

  /** Lists the delivery data of an app, over all pages. */
  listDeliveryData(request: ListDeliveryDataOptions): DeliveryDataList {
    const { filter, pageSize } = request;
    return new DeliveryDataList(async (pageToken, signal) => {
      const answer = await given(this.#messagingData, "messagingDataUrl").call({
        httpMethod: "GET",
        path: `v1beta1/${pathOf(parentOf(request), "projects/*/androidApps/*")}/deliveryData`,
        query: { filter, pageSize, pageToken },
        repeatable: true,
        signal,
      });
      return answer as ListAndroidDeliveryDataResponseJson;
    }, request.signal);
  }

  /**
   * Imports message events in requests of whole lines; resolves when all are on disk. Errors name rejected
   * lines by their number in `events`. Earlier requests stay stored.
   */
  async importEvents({ project, events, ...options }: ImportEventsOptions): Promise<ImportProgress> {
    const { signal } = options;
    const transport = given(this.#messagingData, "messagingDataUrl");
    const path = `v1beta1/${pathOf(`projects/${project}`, "projects/*")}/messageEvents:import`;
    const send = async (content: Uint8Array): Promise<ImportMessageEventsResponseJson> =>
      (await transport.call({
        httpMethod: "POST",
        path,
        body: { type: "application/x-ndjson", content },
        repeatable: true,
        signal,
      })) as ImportMessageEventsResponseJson;
    return importEvents(send, events, options);
  }
}

const configPath = (name: string): string => `v1/${pathOf(name, "projects/*/apps/*/appAttestConfig")}`;

function given(transport: Transport | undefined, option: string): Transport {
  if (transport === undefined) throw new TypeError(`the client has no ${option}`);
  return transport;
}
