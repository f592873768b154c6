import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LAST_DAY } from "#dist/model/day.js";
import type { DuckDbStore } from "#dist/store/duckdb/duckdb-store.js";
import { DAY, openStore } from "../support/data/day-store.js";
import { DATABASE } from "../support/data/delivery-data.js";
import { APP, randomEvents } from "../support/data/random-events.js";
import { duration, figureLine, type Measurement } from "../support/measurement.js";
import { countProgress, progress } from "../support/progress.js";
import type { Row } from "../support/row.js";
import { PROJECT } from "../support/waybill-server.js";

/** Number of days for which message states are kept. */
const PERIOD = 20;
/** Share of a day's messages that arrive on each following day. */
const LATE = [0.1, 0.05, 0.05];
const EVENTS_A_BLOCK = 200_000;
const EVENTS_AN_IMPORT = 100;
/** Time between two reads, and between two imports, in milliseconds. */
const INTERVAL = 10;

const MAX_GROWTH = 1.3;
const MAX_PAUSE_MS = 100;

/** The longest call of each kind while expired days were removed, in milliseconds. */
interface Longest {
  list: number;
  append: number;
}

/** A constant stream of messages with a retention: file size, and delays that removals cause. */
export const retentionRow: Row = {
  name: "retention",
  measure: async ({ retentionMessages: messages }, directory) => {
    const data = join(directory, "data");
    const store = await openStore(data);
    const report = countProgress(`storing ${2 * PERIOD} days of ${messages} messages`, 2 * PERIOD);
    const longest: Longest = { list: 0, append: 0 };
    const sizes: number[] = [];
    for (let day = 0; day < 2 * PERIOD; day++) {
      await storeDay(store, DAY + day, messages);
      await whileReadAndWritten(store, DAY + day + 1, longest, () => expire(store, DAY + day - PERIOD));
      sizes.push((await stat(join(data, DATABASE))).size);
      report(day + 1);
    }
    progress(`  longest: ${JSON.stringify(longest)}`);
    await store.close();
    const first = sizes[PERIOD - 1] ?? Number.NaN;
    const largest = Math.max(...sizes.slice(PERIOD));
    return [
      {
        what: `largest file in the second ${PERIOD} days of ${messages.toLocaleString("en-US")} messages`,
        waybill: megabytes(largest),
        reference: megabytes(first),
        ratio: (largest / first).toFixed(2),
        target: `≤ ${MAX_GROWTH.toFixed(2)}`,
        isMet: largest <= MAX_GROWTH * first,
      },
      pauseLine("list, 100 entries, while expired days are removed", longest.list),
      pauseLine(`storing ${EVENTS_AN_IMPORT} events during it`, longest.append),
    ];
  },
};

/** Stores and rolls up a day's messages, and late ones of earlier days. */
async function storeDay(store: DuckDbStore, day: number, messages: number): Promise<void> {
  const shares = [1 - LATE.reduce((sum, share) => sum + share), ...LATE];
  for (const [ago, share] of shares.entries()) {
    for (let left = Math.round(share * messages); left > 0; left -= EVENTS_A_BLOCK) {
      await store.append(PROJECT, [randomEvents(day - ago, Math.min(left, EVENTS_A_BLOCK))]);
    }
    await store.rollUp(PROJECT, [day - ago]);
  }
}

/** Removes the states of messages up to a day. */
async function expire(store: DuckDbStore, until: number): Promise<void> {
  await store.seal(until);
  for (;;) {
    const days = await store.expiredDays({ project: PROJECT, limit: PERIOD });
    if (days.length === 0) return;
    await store.removeExpired(PROJECT, days);
  }
}

/** Lists and imports until `work` is done, and records the longest calls. */
async function whileReadAndWritten(
  store: DuckDbStore,
  day: number,
  longest: Longest,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const repeat = async (kind: keyof Longest, call: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      const start = performance.now();
      await call();
      longest[kind] = Math.max(longest[kind], performance.now() - start);
      await sleep(INTERVAL);
    }
  };
  const query = { project: PROJECT, appId: APP, until: LAST_DAY, limit: 100 };
  const list = () => store.readEntries(query);
  const append = () => store.append(PROJECT, [randomEvents(day, EVENTS_AN_IMPORT)]);
  const calls = [repeat("list", list), repeat("list", list), repeat("append", append)];
  await work();
  isOver = true;
  await Promise.all(calls);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

const pauseLine = (what: string, ms: number): Measurement =>
  figureLine(what, `max ${duration(ms)}`, `≤ ${MAX_PAUSE_MS} ms`, ms <= MAX_PAUSE_MS);
