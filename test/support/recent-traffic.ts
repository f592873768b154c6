import { isDeepStrictEqual } from "node:util";
import { toJson } from "@bufbuild/protobuf";
import { WaybillClient } from "../../src/client/index.js";
import { AndroidDeliveryDataSchema } from "../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { simulateTraffic } from "../../src/simulator/simulate-traffic.js";
import { civilDate, dayOf } from "../../src/store/day.js";
import type { Entry } from "./delivery-data.js";
import { entriesOf } from "./import.js";
import { ANDROID_APP, PROJECT, poll, type Server } from "./waybill.js";

/** The traffic of the days before today. */
export interface RecentTraffic {
  /** The apps of {@link PROJECT}, most popular first; one by default. */
  readonly apps?: readonly string[];
  /** How many whole days, the last of them yesterday in Los Angeles; 28 by default. */
  readonly days?: number;
  /** Messages of all days and apps together; 4,000 by default. */
  readonly messages?: number;
  /** Labels besides none; 6 by default. */
  readonly labels?: number;
  readonly seed?: number;
}

/** So long the rollup of much traffic may take. */
const ROLLED_UP_WITHIN = 50_000;
/** One request where that is possible: a day that comes in parts is rolled up several times. */
const BATCH_BYTES = 60 * 1024 * 1024;

/**
 * Imports simulated traffic that ends with yesterday, once, and waits until all of it is listed.
 *
 * @returns what a correct service lists: by app, then newest day first, then by label.
 */
export async function importRecentTraffic(
  server: Server,
  token: string,
  { apps = [ANDROID_APP], days = 28, messages = 4_000, labels = 6, seed = 1 }: RecentTraffic = {},
): Promise<Entry[]> {
  const startDay = isoDate(dayOf(Date.now()) - days);
  const traffic = simulateTraffic({ apps, startDay, days, messages, labels, seed });
  const client = new WaybillClient({ messagingDataUrl: server.messagingDataUrl, token });
  await client.importEvents({ project: PROJECT.id, events: bytesOf(traffic), batchBytes: BATCH_BYTES });
  const truth = [...traffic.truth()].map(
    (entry) => toJson(AndroidDeliveryDataSchema, entry) as unknown as Entry,
  );
  for (const app of apps) {
    const expected = truth.filter(({ appId }) => appId === app);
    const isListed = (entries: readonly Entry[]): boolean => isDeepStrictEqual(entries, expected);
    const listed = await poll(
      () => entriesOf(server, token, encodeURIComponent(app)),
      isListed,
      ROLLED_UP_WITHIN,
    );
    if (!isListed(listed)) throw new Error(`the traffic of ${app} is not listed as it should be`);
  }
  return truth;
}

function* bytesOf(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function isoDate(epochDay: number): string {
  const { year, month, day } = civilDate(epochDay);
  return [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
}
