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

/** An app of the app-integrity service with what holds for its attestation. */
export interface AttestedApp {
  readonly appId: string;
  readonly config: AppAttestConfigJson;
}

/** A page of entries. */
export interface EntriesPage {
  readonly entries: readonly AndroidDeliveryDataJson[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
}

/** Where the services are. */
export interface ServiceUrls {
  /** Without a slash at the end. */
  readonly messagingData: string;
  /** Null if nobody knows. */
  readonly integrity: string | null;
}

/** Names that one `batchGet` takes. */
const MAX_NAMES = 100;

/** The reads that the page is made of, on behalf of the holder of one token. All throw `WaybillError`. */
export class WaybillApi {
  readonly #urls: ServiceUrls;
  readonly #token: string;
  readonly #onUnauthenticated: () => void;

  /** @param onUnauthenticated is called when a service does not take the token, or takes it no longer. */
  constructor(urls: ServiceUrls, token: string, onUnauthenticated: () => void) {
    this.#urls = urls;
    this.#token = token;
    this.#onUnauthenticated = onUnauthenticated;
  }

  /** Whether there is a service to ask for apps and their attestation. */
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

  /** All apps of a project, as the app-integrity service knows them, with their configurations. */
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
        // The token says who asks; nothing that a browser keeps may.
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
