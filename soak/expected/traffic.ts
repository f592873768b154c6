import { toJson } from "@bufbuild/protobuf";
import {
  type AndroidDeliveryDataJson,
  AndroidDeliveryDataSchema,
} from "../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { Random } from "../../src/simulator/random.js";
import { type SimulationOptions, simulateTraffic } from "../../src/simulator/simulate-traffic.js";
import { shuffled } from "./shuffled.js";

const MAX_LINES = 900;
/** Share of batches that are sent twice. */
const REPEATED = 0.1;

/** An import request, sent until it is acknowledged. */
export interface Batch {
  readonly bytes: Buffer;
  readonly lines: number;
}

/**
 * Simulated traffic of one project for new apps, cut into batches in random order, with the entries that a
 * server must list.
 */
export interface Traffic {
  readonly project: string;
  readonly batches: readonly Batch[];
  /** All entries of each app, in list order. */
  readonly entries: ReadonlyMap<string, readonly AndroidDeliveryDataJson[]>;
}

/** Makes traffic with its lines in random order, including late events, and some batches repeated. */
export function makeTraffic(project: string, options: SimulationOptions, random: Random): Traffic {
  const simulation = simulateTraffic(options);
  const lines = [...simulation].flatMap((text) => text.split("\n").filter((line) => line !== ""));
  const entries = new Map<string, AndroidDeliveryDataJson[]>(options.apps.map((app) => [app, []]));
  for (const entry of simulation.truth()) {
    entries.get(entry.appId)?.push(toJson(AndroidDeliveryDataSchema, entry));
  }
  const once = batchesOf(shuffled(lines, random), random);
  const again = once.filter(() => random.chance(REPEATED));
  return { project, batches: shuffled([...once, ...again], random), entries };
}

function batchesOf(lines: readonly string[], random: Random): Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < lines.length; ) {
    const some = lines.slice(start, start + 1 + random.below(MAX_LINES));
    batches.push({ bytes: Buffer.from(some.map((line) => `${line}\n`).join("")), lines: some.length });
    start += some.length;
  }
  return batches;
}
