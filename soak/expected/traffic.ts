import { toJson } from "@bufbuild/protobuf";
import {
  type AndroidDeliveryDataJson,
  AndroidDeliveryDataSchema,
} from "../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { Random } from "../../src/simulator/random.js";
import { type SimulationOptions, simulateTraffic } from "../../src/simulator/simulate-traffic.js";
import { shuffled } from "./shuffled.js";

/** Lines of the largest batch. */
const MAX_LINES = 900;
/** The share of batches that are sent once more. */
const REPEATED = 0.1;

/** One import request, which is sent until it is acknowledged. */
export interface Batch {
  readonly bytes: Buffer;
  readonly lines: number;
}

/** Simulated traffic of one project to new apps, cut into batches in any order, and what a server must list for it. */
export interface Traffic {
  readonly project: string;
  readonly batches: readonly Batch[];
  /** All entries of each app, in the order of the list. */
  readonly entries: ReadonlyMap<string, readonly AndroidDeliveryDataJson[]>;
}

/** Makes traffic whose lines come in any order, late ones among the others, and some of them more than once. */
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
