import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { at } from "#dist/model/collections.js";
import { Random } from "#dist/simulator/random.js";
import { appIds, simulateTraffic } from "#dist/simulator/simulate-traffic.js";
import { progress } from "../progress.js";

/** The first day of {@link simulatedEvents}. */
export const FIRST_DAY = "2025-03-03";

/** Lower limit for the number of events per message. Simulated messages have slightly more on average. */
const EVENTS_PER_MESSAGE = 2.5;

/** Exactly `count` events of simulated traffic over `days` days, as chunks of NDJSON. */
export function* simulatedEvents(count: number, days: number): Generator<Buffer> {
  const messages = Math.ceil(count / EVENTS_PER_MESSAGE);
  const options = { apps: appIds(20), startDay: FIRST_DAY, days, messages, labels: 100, seed: 1 };
  let left = count;
  for (const lines of simulateTraffic(options)) {
    const bytes = Buffer.from(lines);
    let end = 0;
    while (left > 0 && end < bytes.length) {
      end = bytes.indexOf("\n", end) + 1;
      left--;
    }
    yield bytes.subarray(0, end);
    if (left === 0) return;
  }
  throw new Error(`the simulation has ${left} events too few`);
}

/** Generates exactly `count` events of simulated traffic over `days` days, as chunks of NDJSON. */
export async function writeEventFile(file: string, count: number, days: number): Promise<void> {
  progress(`  simulating ${count} events`);
  await pipeline(Readable.from(simulatedEvents(count, days)), createWriteStream(file));
}

/** Shuffles an event file's lines. The random order is always the same. */
export async function shuffleEventFile(file: string, shuffled: string): Promise<void> {
  const bytes = await readFile(file);
  const starts = [0];
  for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", end + 1)) starts.push(end + 1);
  const order = Uint32Array.from({ length: starts.length - 1 }, (_, line) => line);
  const random = new Random(1);
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    const line = at(order, last);
    order[last] = at(order, other);
    order[other] = line;
  }
  const target = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  for (const line of order) written += bytes.copy(target, written, at(starts, line), at(starts, line + 1));
  await writeFile(shuffled, target);
}
