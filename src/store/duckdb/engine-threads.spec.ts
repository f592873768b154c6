import { withResolver } from "@waybill/client/support";
import { expect, it, onTestFinished } from "vitest";
import { DuckDBInstance } from "./engine.js";
import { EngineThreads, usualThreads } from "./engine-threads.js";

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [16, 8],
])("usually uses half of %i threads, but at least one: %i", (all, usual) => {
  expect(usualThreads(all)).toBe(usual);
});

/** Returns a function that counts the engine's threads. */
async function openThreads() {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(usualThreads(4)) });
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  const count = async (): Promise<unknown> =>
    (await connection.runAndReadAll("SELECT current_setting('threads')::INTEGER")).getRows()[0]?.[0];
  return { threads: new EngineThreads(await instance.connect(), 4), count };
}

it("uses all threads until the last of several long statements has ended", async () => {
  const { threads, count } = await openThreads();
  expect(await count()).toBe(2);
  const { promise: firstEnds, resolve: endFirst } = withResolver();
  const { promise: secondEnds, resolve: endSecond } = withResolver();
  const first = threads.useAll(() => firstEnds);
  const second = threads.useAll(async () => {
    const during = await count();
    await secondEnds;
    return during;
  });
  endFirst();
  await first;
  expect(await count()).toBe(4);
  endSecond();
  expect(await second).toBe(4);
  expect(await count()).toBe(2);
});

it("uses fewer threads again after a failure", async () => {
  const { threads, count } = await openThreads();
  const failing = threads.useAll(async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await count()).toBe(2);
});
