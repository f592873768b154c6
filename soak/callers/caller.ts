import type { AppAttestConfigJson } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import type {
  AggregateAndroidDeliveryDataResponseJson,
  ListAndroidDeliveryDataResponseJson,
} from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

export type Config = AppAttestConfigJson;
export type Page = ListAndroidDeliveryDataResponseJson;
export type Sums = AggregateAndroidDeliveryDataResponseJson;

/** Repeats a call until it gets a response. */
export type Repeat = <T>(call: () => Promise<T>) => Promise<T>;

/** Addresses of the services, and the token for calls. */
export interface Target {
  readonly integrityUrl: string;
  readonly messagingDataUrl: string;
  readonly token: string;
}

/**
 * Calls the services over one protocol. Responses are in ProtoJSON form, whatever the wire format. Calls throw a
 * `CallFailure`, or any other error if the response is malformed.
 */
export interface Caller {
  readonly protocol: string;
  getConfig(name: string): Promise<Config>;
  /** The configurations of apps in one project, in the requested order. */
  batchGetConfigs(project: string, apps: readonly string[]): Promise<readonly Config[]>;
  /** Changes `tokenTtl` of the configuration that `config` names, guarded by its `etag` if present. */
  changeConfig(config: Config): Promise<Config>;
  /** Reads a list page by page, repeating the call for each page until it gets a response. */
  walk(parent: string, pageSize: number, repeat: Repeat): Promise<readonly Page[]>;
  /** An app's sums by label, if the protocol's client supports the method. */
  sumByLabel?(parent: string): Promise<Sums>;
  /** Sends lines of events in one request. @returns the number of events in the response. */
  importEvents(project: string, lines: Buffer): Promise<number>;
  /** Closes all connections; later calls open new ones. */
  disconnect(): void;
}

/** Reads all pages with a function that reads one page by its token. */
export async function walkPages(
  repeat: Repeat,
  readPage: (pageToken: string) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let pageToken = ""; ; ) {
    const page = await repeat(() => readPage(pageToken));
    pages.push(page);
    if (page.nextPageToken === undefined) return pages;
    pageToken = page.nextPageToken;
  }
}
