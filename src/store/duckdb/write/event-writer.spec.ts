import { setImmediate as nextTick } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withResolver } from "@waybill/client/support";
import { expect, it, onTestFinished, vi } from "vitest";
import { testDirectory } from "../../../../test/support/test-directory.js";
import { WaitTimeoutError } from "../../../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../../limits/request-limits.js";
import { NONE, type StateBlock } from "../../state-block.js";
import { blocksOf } from "../../testing/test-events.js";
import { Database } from "../database.js";
import { EventWriter } from "./event-writer.js";

const EVENT = { appId: "app", messageId: "m", eventTime: "2026-03-05T12:00:00Z", eventType: "DELIVERED" };

const messagesOf = (count: number): StateBlock[] =>
  blocksOf(Array.from({ length: count }, (_, i) => ({ ...EVENT, messageId: `m${i}` })));

/** Returns the rows that a block's states must have in the database, with names, as text. */
function rowsOf(block: StateBlock): string[] {
  const [highs, lows] = [new BigUint64Array(block.keyHigh.buffer), new BigUint64Array(block.keyLow.buffer)];
  const orNull = (value = NONE): number | null => (value === NONE ? null : value);
  return Array.from({ length: block.length }, (_, i) => {
    const acceptedAt = orNull(block.acceptedAt[i]);
    const accepted = [acceptedAt, block.labels[block.label[i] ?? 0], block.notification[i]];
    return JSON.stringify([
      block.day[i],
      block.apps[block.app[i] ?? 0],
      String(highs[i]),
      String(lows[i]),
      ...(acceptedAt === null ? [null, null, null] : accepted),
      orNull(block.outcome[i]),
      orNull(block.proxy[i]),
      block.seen[i],
    ]);
  });
}

/** Reads all states in the same form. */
async function storedRows(database: Database): Promise<string[]> {
  const stored = await (await database.connect()).runAndReadAll(
    `SELECT day, apps.name, key_high::VARCHAR, key_low::VARCHAR, (accepted >> 33)::INTEGER,
       CASE WHEN accepted IS NOT NULL THEN coalesce(labels.name, '') END, (accepted & 1)::INTEGER,
       outcome, proxy, seen
     FROM message_states
     JOIN apps ON apps.id = app LEFT JOIN labels ON labels.id = (accepted >> 1) & 4294967295`,
  );
  return stored.getRows().map((row) => JSON.stringify(row));
}

/** Opens a writer with its own database, until the test ends. */
async function openWriter() {
  const database = await Database.open({ directory: await testDirectory(), memoryLimit: "256MB" });
  onTestFinished(() => database.close());
  return { database, writer: await EventWriter.open(await database.connect()) };
}

it("writes events that are appended in the same tick in which the last write ends", async () => {
  const { database, writer } = await openWriter();
  const events = blocksOf([EVENT]);
  await writer.append("1", events);
  await writer.append("1", events);
  const stored = await (await database.connect()).runAndReadAll("SELECT count(*) FROM message_states");
  expect(stored.getRows()).toEqual([[2n]]);
});

it("writes a small append of one project before all large appends of another", async () => {
  const { writer } = await openWriter();
  const large = messagesOf(150_000);
  const done: string[] = [];
  const append = (project: string, name: string, events: readonly StateBlock[]) =>
    writer.append(project, events).then(() => void done.push(name));
  await Promise.all([
    ...Array.from({ length: 12 }, (_, i) => append("1", `large ${i}`, large)),
    append("2", "small", blocksOf([EVENT])),
  ]);
  expect(done.indexOf("small")).toBeLessThan(6);
  expect(done).toHaveLength(13);
});

it("delays the large appends of a project, and no others, while other work of the project runs", async () => {
  const { database, writer } = await openWriter();
  const large = messagesOf(10_000);
  const done: string[] = [];
  const append = (project: string, name: string, events: readonly StateBlock[]) =>
    writer.append(project, events).then(() => void done.push(name));
  const { promise: ended, resolve: end } = withResolver<string>();
  const work = writer.queue.ahead("1", () => ended);
  const waiting = append("1", "waited", large);
  const abort = new AbortController();
  const aborted = writer.append("1", large, abort.signal);
  await append("2", "of another project", large);
  await append("1", "small", blocksOf([EVENT]));
  abort.abort(new Error("gone"));
  await expect(aborted).rejects.toThrow("gone");
  expect(done).toEqual(["of another project", "small"]);
  end("result");
  expect(await work).toBe("result");
  await waiting;
  const stored = await (await database.connect()).runAndReadAll(
    "SELECT project::INTEGER, count(*)::INTEGER FROM message_states GROUP BY project ORDER BY project",
  );
  expect(stored.getRows()).toEqual([
    [1, 10_001],
    [2, 10_000],
  ]);
});

it("rejects an aborted large append, even if it waits for two jobs at once", async () => {
  const { database, writer } = await openWriter();
  const abort = new AbortController();
  const { promise: ended, resolve: end } = withResolver();
  const first = writer.queue.ahead("1", () => ended);
  const aborted = writer.append("1", messagesOf(10_000), abort.signal);
  const second = writer.queue.ahead("1", () => ended);
  abort.abort(new Error("gone"));
  end();
  await expect(aborted).rejects.toThrow("gone");
  await Promise.all([first, second]);
  await writer.queue.idle();
  const stored = await (await database.connect()).runAndReadAll("SELECT count(*) FROM message_states");
  expect(stored.getRows()).toEqual([[0n]]);
});

it("writes delayed large appends after some seconds, even if the other work continues or has failed", async () => {
  const { writer } = await openWriter();
  const large = messagesOf(10_000);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { promise: ended, resolve: end } = withResolver();
  const work = writer.queue.ahead("1", async () => {
    await ended;
    throw new Error("no");
  });
  const waiting = writer.append("1", large);
  vi.advanceTimersByTime(MAX_WAIT_MS / 2);
  await waiting;
  await writer.append("1", large);
  end();
  await expect(work).rejects.toThrow("no");
  await writer.append("1", large);
});

it("rejects an append that does not begin in time, and stores none of its events", async () => {
  const { database, writer } = await openWriter();
  const [small, large] = [blocksOf([EVENT]), messagesOf(10_000)];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { signal } = new AbortController();
  const { promise: ended, resolve: resume } = withResolver();
  const paused = writer.queue.pause(() => ended);
  const work = writer.queue.ahead("1", () => paused);
  const rejected = [small, large].map((events) =>
    expect(writer.append("1", events, signal)).rejects.toThrow(WaitTimeoutError),
  );
  const ofServer = writer.append("2", small);
  vi.advanceTimersByTime(MAX_WAIT_MS);
  await Promise.all(rejected);
  resume();
  await Promise.all([work, ofServer]);
  const stored = await (await database.connect()).runAndReadAll(
    "SELECT project::INTEGER, count(*)::INTEGER FROM message_states GROUP BY project",
  );
  expect(stored.getRows()).toEqual([[2, 1]]);
});

it("pauses between writes, even if nothing is queued", async () => {
  const { database, writer } = await openWriter();
  const events = blocksOf([EVENT]);
  const other = await database.connect();
  // Fails during a write.
  const checkpoint = async (): Promise<void> => void (await other.run("CHECKPOINT"));
  await writer.queue.pause(checkpoint);
  const pauses = Array.from({ length: 20 }, async () => {
    const written = writer.append("1", events);
    await writer.queue.pause(checkpoint);
    return written;
  });
  expect(await Promise.all(pauses)).toEqual(Array.from({ length: 20 }, () => 0));
  await expect(writer.queue.pause(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await writer.append("1", events);
});

it("stores nothing of an append that fails midway, even after garbage collection", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { database, writer } = await openWriter();
  // The engine has stored the first of them when the last block fails.
  const events = messagesOf(20_000);
  const broken = blocksOf([EVENT]).map((block) => ({ ...block, seen: undefined as unknown as Uint32Array }));
  for (let attempt = 0; attempt < 5; attempt++) {
    await expect(writer.append("1", [...events, ...broken])).rejects.toThrow("storing data");
    collect();
    await nextTick();
    await writer.append("1", events);
  }
  const stored = await (await database.connect()).runAndReadAll("SELECT count(*) FROM message_states");
  expect(stored.getRows()).toEqual([[100_000n]]);
});

it.each([
  ["consecutive days", 1],
  ["days that are far apart", 90_000],
])("stores each state of a large append once, on %s", async (_, step) => {
  const { database, writer } = await openWriter();
  const types = ["ACCEPTED", "DELIVERED", "DROPPED_DEVICE_INACTIVE", "PROXIED", "ACCEPTED"];
  const sent = Array.from({ length: 40_000 }, (_, index) => ({
    appId: `app${index % 7}`,
    messageId: `m${index}`,
    eventTime: new Date(step * ((index * 7919) % 31) * 86_400_000 + 60_000 * (index % 1000)).toISOString(),
    eventType: types[index % types.length] ?? "",
    analyticsLabel: index % types.length === 4 ? "" : `label${index % 11}`,
    notification: index % 3 === 0,
    usageReportingOptIn: true,
  }));
  const events = [...blocksOf(sent.slice(0, 100)), ...blocksOf(sent.slice(100))];
  await writer.append("1", events);
  expect((await storedRows(database)).toSorted()).toEqual(events.flatMap(rowsOf).toSorted());
});

it("stores a large append ordered by day", async () => {
  const { database, writer } = await openWriter();
  const sent = Array.from({ length: 40_000 }, (_, index) => ({
    ...EVENT,
    messageId: `m${index}`,
    eventTime: `2026-03-${10 + (index % 7)}T12:00:00Z`,
  }));
  await writer.append("1", blocksOf(sent));
  const stored = await (await database.connect()).runAndReadAll(
    "SELECT count(*) FROM (SELECT day, lag(day) OVER (ORDER BY rowid) AS before FROM message_states) WHERE day <> before",
  );
  expect(stored.getRows()).toEqual([[6n]]);
});

it("rejects an append that fails, but not others in the same transaction", async () => {
  const { database, writer } = await openWriter();
  const events = blocksOf([EVENT]);
  const broken = events.map((block) => ({ ...block, day: undefined as unknown as Int32Array }));
  const outcomes = await Promise.allSettled(
    [events, events, broken, events, broken, events].map((blocks, index) =>
      writer.append(`${1 + (index % 2)}`, blocks),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  const stored = await (await database.connect()).runAndReadAll(
    "SELECT project::INTEGER, count(*)::INTEGER FROM message_states GROUP BY project ORDER BY project",
  );
  expect(stored.getRows()).toEqual([
    [1, 1],
    [2, 3],
  ]);
});

it("reassigns name ids after a failed append", async () => {
  const { database, writer } = await openWriter();
  const [events] = blocksOf([
    {
      appId: "app",
      messageId: "m",
      eventTime: "2026-03-05T12:00:00Z",
      eventType: "ACCEPTED",
      analyticsLabel: "sale",
      usageReportingOptIn: true,
    },
  ]) as [StateBlock];
  const broken = { ...events, day: undefined as unknown as Int32Array };
  await expect(writer.append("1", [events, broken])).rejects.toThrow("storing data");
  await writer.append("1", [events]);
  const stored = await (await database.connect()).runAndReadAll(
    `SELECT apps.name, labels.name
     FROM message_states JOIN apps ON apps.id = app JOIN labels ON labels.id = (accepted >> 1) & 4294967295`,
  );
  expect(stored.getRows()).toEqual([["app", "sale"]]);
});

it("caches all app numbers in a project when one is looked up", async () => {
  const { database, writer: first } = await openWriter();
  await first.append("1", blocksOf([EVENT]));
  const writer = await EventWriter.open(await database.connect());
  expect(writer.cachedNumberOf("1", "app")).toBeUndefined();
  await writer.queue.idle();
  expect(writer.cachedNumberOf("1", "app")).toBe(first.cachedNumberOf("1", "app"));
  expect(writer.cachedNumberOf("1", "other")).toBe(0);
});
