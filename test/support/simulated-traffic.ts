import { isDeepStrictEqual } from "node:util";
import { toJson } from "@bufbuild/protobuf";
import { WaybillClient } from "../../src/client/index.js";
import { AndroidDeliveryDataSchema } from "../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { simulateTraffic } from "../../src/simulator/simulate-traffic.js";
import type { Entry } from "./delivery-data.js";
import { entriesOnceThey } from "./import.js";
import { PROJECT, type Server } from "./waybill.js";

/**
 * Imports some days of traffic to an app or several, and waits until it is listed.
 *
 * @returns what is listed then, by app.
 */
export async function importTraffic(server: Server, token: string, ...apps: string[]): Promise<Entry[]> {
  const options = { startDay: "2025-03-03", days: 5, messages: 2000, labels: 6, seed: 3 };
  const traffic = simulateTraffic({ apps, ...options });
  const client = new WaybillClient({ messagingDataUrl: server.messagingDataUrl, token });
  await client.importEvents({ project: PROJECT.id, events: bytesOf(traffic), batchBytes: 100_000 });
  const truth = [...traffic.truth()].map(
    (entry) => toJson(AndroidDeliveryDataSchema, entry) as unknown as Entry,
  );
  for (const app of apps) {
    const expected = truth.filter(({ appId }) => appId === app);
    const entries = await entriesOnceThey(server, token, encodeURIComponent(app), (listed) =>
      isDeepStrictEqual(listed, expected),
    );
    if (!isDeepStrictEqual(entries, expected)) throw new Error("the traffic is not listed as it should be");
  }
  return truth;
}

function* bytesOf(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
