import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limitWait, WaitAllowance, WaitTimeoutError } from "./limit-wait.js";
import { MAX_WAIT_MS } from "./limits.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("leaves time for a response within ten seconds", () => {
  expect(MAX_WAIT_MS).toBeLessThan(10_000);
});

it.each([
  ["the longest wait of calls", undefined, MAX_WAIT_MS],
  ["a shorter one", 1_000, 1_000],
])("leaves the queue after %s", (_, maxMs, expected) => {
  const leave = vi.fn();
  limitWait(leave, undefined, maxMs);
  vi.advanceTimersByTime(expected - 1);
  expect(leave).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(leave).toHaveBeenCalledExactlyOnceWith(expect.any(WaitTimeoutError));
});

it("leaves the queue when the call ends, and then only", () => {
  const leave = vi.fn();
  const controller = new AbortController();
  limitWait(leave, controller.signal);
  controller.abort("gone");
  vi.advanceTimersByTime(MAX_WAIT_MS);
  expect(leave).toHaveBeenCalledExactlyOnceWith("gone");
});

it("never leaves once the wait has ended", () => {
  const leave = vi.fn();
  const controller = new AbortController();
  limitWait(leave, controller.signal)();
  controller.abort("gone");
  vi.advanceTimersByTime(MAX_WAIT_MS);
  expect(leave).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it("sets no timer for work of the server itself", () => {
  limitWait(() => {}, undefined, Number.POSITIVE_INFINITY);
  expect(vi.getTimerCount()).toBe(0);
});

it("rejects a call that has ended already", () => {
  expect(() => limitWait(() => {}, AbortSignal.abort("gone"))).toThrow("gone");
  expect(vi.getTimerCount()).toBe(0);
});

describe("waits with an allowance", () => {
  let signal: AbortSignal;
  let allowance: WaitAllowance;
  beforeEach(() => {
    allowance = new WaitAllowance();
    signal = allowance.cover(new AbortController().signal);
  });

  /** Expects that the call may wait for this time, and no longer. */
  const expectLeft = (expectedMs: number): void => {
    const leave = vi.fn();
    limitWait(leave, signal);
    vi.advanceTimersByTime(expectedMs - 1);
    expect(leave).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(leave).toHaveBeenCalledExactlyOnceWith(expect.any(WaitTimeoutError));
  };

  it("last no longer in several queues than in one", () => {
    const endFirst = limitWait(() => {}, signal);
    vi.advanceTimersByTime(4_000);
    endFirst();
    // Its own work is no wait.
    vi.advanceTimersByTime(MAX_WAIT_MS);
    const endSecond = limitWait(() => {}, signal);
    vi.advanceTimersByTime(3_000);
    endSecond();
    expectLeft(MAX_WAIT_MS - 7_000);
    expect(() => limitWait(() => {}, signal)).toThrow(WaitTimeoutError);
  });

  it("count once when they are concurrent", () => {
    const ends = [limitWait(() => {}, signal)];
    vi.advanceTimersByTime(1_000);
    ends.push(limitWait(() => {}, signal));
    vi.advanceTimersByTime(1_000);
    ends.shift()?.();
    vi.advanceTimersByTime(1_000);
    ends.shift()?.();
    expectLeft(MAX_WAIT_MS - 3_000);
  });

  it("end concurrently after the time for one", () => {
    const leave = vi.fn();
    limitWait(leave, signal);
    vi.advanceTimersByTime(MAX_WAIT_MS - 1_000);
    limitWait(leave, signal);
    vi.advanceTimersByTime(1_000);
    expect(leave).toHaveBeenCalledTimes(2);
  });

  it("include the wait for a promise, whatever its outcome", async () => {
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2_000));
    const waits = [pause().then(() => "done"), pause().then(() => Promise.reject(new Error("no")))];
    const spent = waits.map((wait) => allowance.spendOn(wait));
    vi.advanceTimersByTime(2_000);
    await expect(spent[0]).resolves.toBe("done");
    await expect(spent[1]).rejects.toThrow("no");
    expectLeft(MAX_WAIT_MS - 2_000);
  });

  it("leave other calls their own time", () => {
    limitWait(() => {}, new WaitAllowance().cover(new AbortController().signal));
    vi.advanceTimersByTime(4_000);
    expectLeft(MAX_WAIT_MS);
  });
});
