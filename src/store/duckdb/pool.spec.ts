import { expect, it, onTestFinished, vi } from "vitest";
import { WaitTimeoutError } from "../../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../limits/limits.js";
import { Pool } from "./pool.js";

/** Returns work that runs until it is told to end. */
function work(): { run: () => Promise<void>; end: () => void; readonly running: boolean } {
  let running = false;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
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

it("lets a waiting caller leave, and serves those after it", async () => {
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

it("refuses a caller whose signal has already aborted", async () => {
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const late = work();
  await expect(pool.use(late.run, AbortSignal.abort("gone"))).rejects.toBe("gone");
  expect(late.running).toBe(false);
  expect(await pool.use(async (item) => item)).toBe("item");
});

it("ignores an abort once the caller is served", async () => {
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

it("rejects a caller that gets no item in time, and serves those that came later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const [first, early, late] = [work(), work(), work()];
  const used = pool.use(first.run);
  const refusal = expect(pool.use(early.run)).rejects.toThrow(WaitTimeoutError);
  vi.advanceTimersByTime(1);
  const next = pool.use(late.run);
  vi.advanceTimersByTime(MAX_WAIT_MS - 1);
  await refusal;
  first.end();
  await used;
  expect([early.running, late.running]).toEqual([false, true]);
  late.end();
  await next;
});

it("lets whoever takes all items wait as long as it takes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new Pool(["item"], MAX_WAIT_MS);
  const [busy, alone] = [work(), work()];
  const calls = [pool.use(busy.run), pool.takeAll(alone.run)];
  await vi.advanceTimersByTimeAsync(10 * MAX_WAIT_MS);
  busy.end();
  alone.end();
  await Promise.all(calls);
  expect(alone.running).toBe(true);
});

it("takes all items once they are free, and lets no other caller have one meanwhile", async () => {
  const pool = new Pool(["a", "b"], MAX_WAIT_MS);
  const [busy, alone, next] = [work(), work(), work()];
  const calls = [pool.use(busy.run), pool.takeAll(alone.run), pool.use(next.run)];
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

it("gives all items back after a failure", async () => {
  const pool = new Pool(["a", "b"], MAX_WAIT_MS);
  const failure = async (): Promise<void> => {
    throw new Error("no");
  };
  await expect(pool.takeAll(failure)).rejects.toThrow("no");
  expect(await Promise.all([1, 2, 3].map((n) => pool.use(async () => n)))).toEqual([1, 2, 3]);
});
