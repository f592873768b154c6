import { readdirSync } from "node:fs";
import { availableParallelism, getPriority } from "node:os";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { WaitAllowance } from "../../dist/limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../dist/limits/request-limits.js";
import { acceptedAt } from "../../dist/messaging-data/events/event-time.js";
import { EventWorkerPool } from "../../dist/messaging-data/events/event-worker-pool.js";
import { accepted } from "../support/data/delivery-data.js";
import { ndjson } from "../support/data/import.js";

const DAYS = acceptedAt(Date.now(), { from: 0, ahead: 0 });
const LINE = ndjson([accepted("app", "2026-01-02T20:00:00Z")]);

const calls = { areFrequent: false };
const pool = new EventWorkerPool(8192, calls);
afterAll(() => pool.close());

const segment = (lines: number) => [new Uint8Array(Buffer.from(LINE.repeat(lines)))];

it.skipIf(process.platform !== "linux")(
  "EventWorkerPool starts threads with a lower priority than the main thread",
  async () => {
    const priorities = (): Map<string, number> =>
      new Map(readdirSync("/proc/self/task").map((thread) => [thread, getPriority(Number(thread))]));
    const before = priorities();
    await pool.parse("project", segment(1), DAYS);
    const added = [...priorities()].filter(([thread]) => !before.has(thread));
    const own = getPriority();
    expect(added.some(([, priority]) => priority > own)).toBe(true);
    for (const [thread, priority] of before) expect(getPriority(Number(thread))).toBe(priority);
  },
);

it("EventWorkerPool starts its first thread for the first segment, and others only while all are busy, on the last core only while calls are not frequent", async () => {
  let threads = 0;
  const count = (): void => void threads++;
  process.on("worker", count);
  const idle = new EventWorkerPool(8192, calls);
  onTestFinished(async () => {
    calls.areFrequent = false;
    process.off("worker", count);
    await idle.close();
  });
  expect(threads).toBe(0);
  for (let i = 0; i < 3; i++) await idle.parse("project", segment(1), DAYS);
  expect(threads).toBe(1);
  const most = Math.min(4, availableParallelism());
  for (const [areFrequent, expected] of [
    [true, Math.min(most, Math.max(1, availableParallelism() - 1))],
    [false, most],
  ] as const) {
    calls.areFrequent = areFrequent;
    await Promise.all(Array.from({ length: 9 }, () => idle.parse("project", segment(1), DAYS)));
    expect(threads).toBe(expected);
  }
});

it("EventWorkerPool transfers the memory of all pieces of a segment", async () => {
  const text = LINE.repeat(3);
  const pieces = [text.slice(0, 5), text.slice(5, 150), text.slice(150)].map((piece) =>
    new TextEncoder().encode(piece),
  );
  const { block } = await pool.parse("project", pieces, DAYS);
  expect([...block.days.values()]).toEqual([3]);
  expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0]);
});

it("EventWorkerPool parses a small import of one project before waiting segments of another project", async () => {
  const finished: string[] = [];
  const parse = async (project: string, lines: number) => {
    const { block } = await pool.parse(project, segment(lines), DAYS);
    expect(block.length).toBe(lines);
    finished.push(project);
  };
  const large = Array.from({ length: 60 }, () => parse("large", 3_000));
  await Promise.all([...large, parse("small", 1)]);
  expect(finished).toHaveLength(61);
  expect(finished.indexOf("small")).toBeLessThan(40);
});

it.each([
  ["in time", 0],
  ["in the time that other waits have left", 4_000],
])(
  "EventWorkerPool rejects segments that no worker accepts %s, and parses all others",
  async (_, waitedMs) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const allowance = new WaitAllowance();
    const signal = allowance.cover(new AbortController().signal);
    allowance.begin();
    vi.advanceTimersByTime(waitedMs);
    allowance.end();
    const segments = Array.from({ length: pool.capacity + 3 }, () =>
      pool.parse("project", segment(1), DAYS, signal),
    );
    const outcomes = Promise.allSettled(segments);
    vi.advanceTimersByTime(MAX_WAIT_MS - waitedMs);
    const waited = (await outcomes).flatMap((outcome) =>
      outcome.status === "rejected" ? outcome.reason.name : [],
    );
    expect(waited).toEqual(Array(3).fill("WaitTimeoutError"));
  },
);
