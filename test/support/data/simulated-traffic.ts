import { isDeepStrictEqual } from "node:util";
import { toJson } from "@bufbuild/protobuf";
import { AndroidDeliveryDataSchema } from "../../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { type SimulationOptions, simulateTraffic } from "../../../src/simulator/simulate-traffic.js";
import { poll } from "../poll.js";
import type { Server } from "../servers/server.js";
import type { Entry } from "./delivery-data.js";
import { entriesOf, importBatch } from "./import.js";

/**
 * Imports several days of traffic for some apps, and waits until it is listed.
 * @returns the listed entries by app.
 */
export function importTraffic(server: Server, token: string, ...apps: string[]): Promise<Entry[]> {
  const simulation = { apps, startDay: "2025-03-03", days: 5, messages: 2000, labels: 6, seed: 3 };
  return importSimulation(server, token, simulation, { batchBytes: 100_000 });
}

export interface ImportPace {
  /** Size of each request in bytes. */
  readonly batchBytes: number;
}

/**
 * Imports simulated traffic, and waits until it is listed.
 * @returns the entries that a correct service lists: by app, then newest day first, then by label.
 */
export async function importSimulation(
  server: Server,
  token: string,
  simulation: SimulationOptions,
  { batchBytes }: ImportPace,
): Promise<Entry[]> {
  const traffic = simulateTraffic(simulation);
  for (const batch of batchesOf(traffic, batchBytes)) await importBatch(server, token, batch);
  const truth = [...traffic.truth()].map(
    (entry) => toJson(AndroidDeliveryDataSchema, entry) as unknown as Entry,
  );
  for (const app of simulation.apps) {
    const expected = truth.filter(({ appId }) => appId === app);
    const isListed = (entries: readonly Entry[]): boolean => isDeepStrictEqual(entries, expected);
    await poll(() => entriesOf(server, token, encodeURIComponent(app)), isListed);
  }
  return truth;
}

/** Joins strings of whole lines until they have a request's size. */
function* batchesOf(texts: Iterable<string>, batchBytes: number): Generator<string> {
  let batch = "";
  for (const text of texts) {
    if (batch !== "" && batch.length + text.length > batchBytes) {
      yield batch;
      batch = "";
    }
    batch += text;
  }
  if (batch !== "") yield batch;
}
