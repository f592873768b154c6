import { withResolver } from "@waybill/client/support";
import { expect, it, onTestFinished, vi } from "vitest";
import { WaitTimeoutError } from "../../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../limits/request-limits.js";
import { Pool } from "./pool.js";

/** Returns work that runs until `end` is called. */
function work(): { run: () => Promise<void>; end: () => void; readonly running: boolean } {
  let running = false;
  const { promise: ended, resolve: end } = withResolver();
  return {
    run: () => {
      running = true;
      return ended;
    },
    end,
    get running() {
      return running;
    },
  };
}

it("serves one caller at a time, in order of arrival", async () => {
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const order: number[] = [];
  const serve = (n: number) => pool.use(async () => order.push(n));
  const first = work();
  const calls = [pool.use(first.run), serve(1), serve(2), serve(3)];
  expect(order).toEqual([]);
  first.end();
  await Promise.all(calls);
  expect(order).toEqual([1, 2, 3]);
});

it("removes a caller that aborts from the queue, and serves the next ones", async () => {
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const [first, left, next] = [work(), work(), work()];
  const controller = new AbortController();
  const calls = [pool.use(first.run), pool.use(left.run, controller.signal), pool.use(next.run)];
  controller.abort("gone");
  await expect(calls[1]).rejects.toBe("gone");
  expect(first.running).toBe(true);
  first.end();
  await calls[0];
  next.end();
  await calls[2];
  expect([left.running, next.running]).toEqual([false, true]);
});

it("rejects a caller with an aborted signal", async () => {
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const late = work();
  await expect(pool.use(late.run, AbortSignal.abort("gone"))).rejects.toBe("gone");
  expect(late.running).toBe(false);
  expect(await pool.use(async (item) => item)).toBe("item");
});

it("ignores an abort while the caller uses the item", async () => {
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const controller = new AbortController();
  const [first, second] = [work(), work()];
  const calls = [pool.use(first.run), pool.use(second.run, controller.signal)];
  first.end();
  await calls[0];
  controller.abort("gone");
  second.end();
  await calls[1];
  expect(await pool.use(async (item) => item)).toBe("item");
});

it("rejects a caller after the timeout, and serves later ones", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const [first, early, late] = [work(), work(), work()];
  const used = pool.use(first.run);
  const rejection = expect(pool.use(early.run)).rejects.toThrow(WaitTimeoutError);
  vi.advanceTimersByTime(1);
  const next = pool.use(late.run);
  vi.advanceTimersByTime(MAX_WAIT_MS - 1);
  await rejection;
  first.end();
  await used;
  expect([early.running, late.running]).toEqual([false, true]);
  late.end();
  await next;
});

it("does not time out a caller that uses all items", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const [busy, alone] = [work(), work()];
  const calls = [pool.use(busy.run), pool.useAll(alone.run)];
  await vi.advanceTimersByTimeAsync(10 * MAX_WAIT_MS);
  busy.end();
  alone.end();
  await Promise.all(calls);
  expect(alone.running).toBe(true);
});

it("lends all items to one caller once they are free, and none to others in the meantime", async () => {
  const pool = new Pool(["a", "b"], MAX_WAIT_MS);
  const [busy, alone, next] = [work(), work(), work()];
  const calls = [pool.use(busy.run), pool.useAll(alone.run), pool.use(next.run)];
  await Promise.resolve();
  expect([alone.running, next.running]).toEqual([false, false]);
  busy.end();
  await expect.poll(() => alone.running).toBe(true);
  expect(next.running).toBe(false);
  alone.end();
  await expect.poll(() => next.running).toBe(true);
  next.end();
  await Promise.all(calls);
});

it("returns all items after a failure", async () => {
  const pool = new Pool(["a", "b"], MAX_WAIT_MS);
  const failure = async (): Promise<void> => {
    throw new Error("no");
  };
  await expect(pool.useAll(failure)).rejects.toThrow("no");
  expect(await Promise.all([1, 2, 3].map((n) => pool.use(async () => n)))).toEqual([1, 2, 3]);
});
