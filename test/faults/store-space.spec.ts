import { randomFillSync } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MessageEvent_EventType as EventType } from "../../src/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { type Day, LAST_DAY } from "../../src/model/day.js";
import { DuckDbStore } from "../../src/store/duckdb/duckdb-store.js";
import { NONE, type StateBlock } from "../../src/store/state-block.js";
import { PROJECT, settle } from "../../src/store/testing/test-events.js";
import { testDirectory } from "../support/test-directory.js";

const FIRST: Day = Date.UTC(2026, 0, 1) / 86_400_000;
/**
 * Number of messages of each day, and of days until the first one is removed: five of the engine's row
 * groups.
 */
const MESSAGES = 30_000;
const PERIOD = 8;
/**
 * Maximum size of the file for each message that it contains. A new message needs about 62 bytes, and a removed one
 * needs its space until the next checkpoint.
 */
const MAX_BYTES = 140;

/** Returns the ACCEPTED of each message of a day. */
const eventsOf = (day: Day): StateBlock => ({
  length: MESSAGES,
  days: new Map([[day, MESSAGES]]),
  apps: ["app"],
  labels: [""],
  app: new Int32Array(MESSAGES),
  day: new Int32Array(MESSAGES).fill(day),
  keyHigh: randomFillSync(new Uint32Array(2 * MESSAGES)),
  keyLow: randomFillSync(new Uint32Array(2 * MESSAGES)),
  acceptedAt: Uint32Array.from({ length: MESSAGES }, (_, i) => i * 2_879),
  label: new Int32Array(MESSAGES),
  notification: new Uint8Array(MESSAGES),
  outcome: new Uint32Array(MESSAGES).fill(NONE),
  proxy: new Uint32Array(MESSAGES).fill(NONE),
  seen: new Uint32Array(MESSAGES).fill(1 << EventType.ACCEPTED),
});

it.each([
  ["", 0],
  // Two readers, so that one still reads when the other has ended.
  [" while it is read all the time", 2],
])(
  "a database file under constant load does not grow%s",
  async (_, readers) => {
    const directory = await testDirectory();
    const store = await DuckDbStore.open({ directory, memoryLimit: "256MB", checkpointThreshold: "2MB" });
    let isReading = true;
    const reading = Array.from({ length: readers }, async () => {
      while (isReading) await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 1_000 });
    });
    const sizes: number[] = [];
    for (let day = FIRST; day < FIRST + 6 * PERIOD; day++) {
      await store.append(PROJECT, [eventsOf(day)]);
      await settle(store);
      await store.seal(day - PERIOD);
      const expired = await store.expiredDays({ project: PROJECT, limit: 10 });
      if (expired.length > 0) await store.removeExpired(PROJECT, expired);
      sizes.push((await stat(join(directory, "waybill.duckdb"))).size);
    }
    isReading = false;
    await Promise.all(reading);
    expect(Math.max(...sizes)).toBeLessThan(MAX_BYTES * PERIOD * MESSAGES);
    await store.close();
  },
  180_000,
);
