import type { AppAttestConfigJson } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import type {
  AggregateAndroidDeliveryDataResponseJson,
  ListAndroidDeliveryDataResponseJson,
} from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

export type Config = AppAttestConfigJson;
export type Page = ListAndroidDeliveryDataResponseJson;
export type Sums = AggregateAndroidDeliveryDataResponseJson;

/** Makes one call again and again until there is an answer. */
export type Repeat = <T>(call: () => Promise<T>) => Promise<T>;

/** Where the services are, and by which token they are called. */
export interface Target {
  readonly integrityUrl: string;
  readonly messagingDataUrl: string;
  readonly token: string;
}

/**
 * Calls the services by one protocol. What comes back is in the form of ProtoJSON, whatever it was on the wire. Calls
 * throw a `CallFailure`, or any other error when the answer is not well-formed.
 */
export interface Caller {
  readonly protocol: string;
  getConfig(name: string): Promise<Config>;
  /** The configurations of apps of one project, in that order. */
  batchGetConfigs(project: string, apps: readonly string[]): Promise<readonly Config[]>;
  /** Changes `tokenTtl` of the configuration that `config` names, if its `etag` holds. */
  changeConfig(config: Config): Promise<Config>;
  /** Reads a list page by page, each by a call of its own that is repeated until it is answered. */
  walk(parent: string, pageSize: number, repeat: Repeat): Promise<readonly Page[]>;
  /** The sums of an app by label, where the protocol's client has the method. */
  sumByLabel?(parent: string): Promise<Sums>;
  /** Sends lines of events in one request. @returns for how many the answer stands. */
  importEvents(project: string, lines: Buffer): Promise<number>;
  /** Lets go of all connections; later calls open new ones. */
  disconnect(): void;
}

/** Walks by calls that read the page of a token. */
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
