import { type Answer, cutShort, errorOf } from "../../../src/client/failed-answers.js";
import type {
  AppAttestConfigJson,
  BatchGetAppAttestConfigsResponseJson,
  ListAppsResponseJson,
} from "../../../src/gen/waybill/integrity/v1/integrity_pb.js";
import type { AndroidDeliveryDataJson } from "../../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type {
  AggregateAndroidDeliveryDataResponseJson,
  AndroidAppJson,
  ListAndroidAppsResponseJson,
  ListAndroidDeliveryDataResponseJson,
  ListProjectsResponseJson,
  ProjectJson,
} from "../../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { type DeliveryGroup, groupOf } from "./delivery-group.js";
import { type EntriesQuery, entriesRequest, type GroupsQuery, groupsRequest } from "./requests.js";

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

/** Addresses of the services, without a trailing slash. */
export interface ServiceUrls {
  readonly messagingData: string;
  /** Null if unknown. */
  readonly integrity: string | null;
}

/** Most names in one `batchGet` request. */
const MAX_NAMES = 100;

/**
 * Reads everything that the page shows, on behalf of the holder of one token. Every method throws
 * `WaybillError`.
 */
export class WaybillApi {
  readonly #urls: ServiceUrls;
  readonly #token: string;
  readonly #onUnauthenticated: () => void;

  /** @param onUnauthenticated called when a service rejects the token. */
  constructor(urls: ServiceUrls, token: string, onUnauthenticated: () => void) {
    this.#urls = urls;
    this.#token = token;
    this.#onUnauthenticated = onUnauthenticated;
  }

  /** True if the address of the app-integrity service is known. */
  get knowsIntegrity(): boolean {
    return this.#urls.integrity !== null;
  }

  /** All projects that the holder of the token may read. */
  projects(signal?: AbortSignal): Promise<readonly ProjectJson[]> {
    return this.#all<ListProjectsResponseJson, ProjectJson>(
      `${this.#urls.messagingData}/v1beta1/projects`,
      ({ projects }) => projects,
      signal,
    );
  }

  /** All Android apps of a project. */
  androidApps(project: string, signal?: AbortSignal): Promise<readonly AndroidAppJson[]> {
    return this.#all<ListAndroidAppsResponseJson, AndroidAppJson>(
      `${this.#urls.messagingData}/v1beta1/projects/${encodeURIComponent(project)}/androidApps`,
      ({ androidApps }) => androidApps,
      signal,
    );
  }

  /** Sums of entries. */
  async groups(query: GroupsQuery, signal?: AbortSignal): Promise<readonly DeliveryGroup[]> {
    const { groups = [] } = await this.#get<AggregateAndroidDeliveryDataResponseJson>(
      this.#urls.messagingData + groupsRequest(query),
      signal,
    );
    return groups.map(groupOf);
  }

  /** One page of entries. */
  async entries(query: EntriesQuery, signal?: AbortSignal): Promise<EntriesPage> {
    const { androidDeliveryData = [], nextPageToken } = await this.#get<ListAndroidDeliveryDataResponseJson>(
      this.#urls.messagingData + entriesRequest(query),
      signal,
    );
    return { entries: androidDeliveryData, nextPageToken };
  }

  /** All apps of a project in the app-integrity service, with their configurations. */
  async attestedApps(project: string, signal?: AbortSignal): Promise<readonly AttestedApp[]> {
    const base = `${this.#urls.integrity ?? ""}/v1/projects/${encodeURIComponent(project)}/apps`;
    const apps = await this.#all<ListAppsResponseJson, { name?: string; appId?: string }>(
      base,
      ({ apps }) => apps,
      signal,
    );
    const attested: AttestedApp[] = [];
    for (let start = 0; start < apps.length; start += MAX_NAMES) {
      const some = apps.slice(start, start + MAX_NAMES);
      const names = some.map(({ name = "" }) => `names=${encodeURIComponent(`${name}/appAttestConfig`)}`);
      const { configs = [] } = await this.#get<BatchGetAppAttestConfigsResponseJson>(
        `${base}/-/appAttestConfig:batchGet?${names.join("&")}`,
        signal,
      );
      some.forEach(({ appId = "" }, index) => {
        attested.push({ appId, config: configs[index] ?? {} });
      });
    }
    return attested;
  }

  async #all<P extends { nextPageToken?: string }, T>(
    url: string,
    itemsOf: (page: P) => readonly T[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    let pageToken = "";
    do {
      const page = await this.#get<P>(`${url}?pageSize=1000${pageToken}`, signal);
      items.push(...(itemsOf(page) ?? []));
      pageToken = page.nextPageToken === undefined ? "" : `&pageToken=${page.nextPageToken}`;
    } while (pageToken !== "");
    return items;
  }

  async #get<T>(url: string, signal: AbortSignal | undefined): Promise<T> {
    const sender = { origin: new URL(url).origin, service: "Waybill" };
    let answer: Answer | undefined;
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${this.#token}` },
        // Only the token identifies the caller; never send cookies.
        credentials: "omit",
        ...(signal !== undefined && { signal }),
      });
      const { status, headers } = response;
      answer = { status, headers, text: await response.text() };
      if (response.ok) return JSON.parse(answer.text) as T;
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw cutShort(cause, sender, answer !== undefined);
    }
    if (answer.status === 401) this.#onUnauthenticated();
    throw errorOf(answer, sender);
  }
}
