import { batchesOf } from "@waybill/client/requests";
import { acceptedAt } from "#dist/messaging-data/events/event-time.js";
import { parseSegment } from "#dist/messaging-data/events/parse-segment.js";
import { DuckDbStore } from "#dist/store/duckdb/duckdb-store.js";
import type { StateBlock } from "#dist/store/state-block.js";
import type { Store } from "#dist/store/store.js";
import { PROJECT } from "../waybill-server.js";
import { FIRST_DAY } from "./event-file.js";

const BLOCK_BYTES = 16 * 1024 * 1024;
const MAX_LINE_BYTES = 8 * 1024;
const DAYS = acceptedAt(Date.now(), { from: 0, ahead: 0 });

/** The first day of the simulated events. */
export const DAY = Date.parse(FIRST_DAY) / 86_400_000;

/** Opens a store with the default limits of a server. */
export const openStore = (directory: string): Promise<DuckDbStore> =>
  DuckDbStore.open({ directory, memoryLimit: "200MB" });

/** Stores events as imports do. @param events chunks of NDJSON. */
export async function appendAll(
  store: Pick<Store, "append">,
  events: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const { bytes } of batchesOf(events, BLOCK_BYTES)) await store.append(PROJECT, [parsed(bytes)]);
}

/** Parses and merges complete lines of NDJSON. */
export const parsed = (lines: Uint8Array): StateBlock => parseSegment([lines], MAX_LINE_BYTES, DAYS).block;

/** Rolls up the day. Returns the duration in milliseconds. */
export async function timeOfRollup(store: Pick<Store, "rollUp">): Promise<number> {
  const start = performance.now();
  await store.rollUp(PROJECT, [DAY]);
  return performance.now() - start;
}
