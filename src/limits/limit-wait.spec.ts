import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limitWait, WaitAllowance, WaitTimeoutError } from "./limit-wait.js";
import { MAX_WAIT_MS } from "./request-limits.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("MAX_WAIT_MS leaves time for a response within ten seconds", () => {
  expect(MAX_WAIT_MS).toBeLessThan(10_000);
});

it.each([
  ["the default limit", undefined, MAX_WAIT_MS],
  ["a shorter limit", 1_000, 1_000],
])("limitWait leaves the queue after %s", (_, maxMs, expected) => {
  const leave = vi.fn();
  limitWait(leave, undefined, maxMs);
  vi.advanceTimersByTime(expected - 1);
  expect(leave).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(leave).toHaveBeenCalledExactlyOnceWith(expect.any(WaitTimeoutError));
});

it("limitWait leaves the queue once when the call is aborted", () => {
  const leave = vi.fn();
  const controller = new AbortController();
  limitWait(leave, controller.signal);
  controller.abort("gone");
  vi.advanceTimersByTime(MAX_WAIT_MS);
  expect(leave).toHaveBeenCalledExactlyOnceWith("gone");
});

it("limitWait does not leave the queue after the wait has ended", () => {
  const leave = vi.fn();
  const controller = new AbortController();
  limitWait(leave, controller.signal)();
  controller.abort("gone");
  vi.advanceTimersByTime(MAX_WAIT_MS);
  expect(leave).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it("limitWait sets no timer for the server's own work", () => {
  limitWait(() => {}, undefined, Number.POSITIVE_INFINITY);
  expect(vi.getTimerCount()).toBe(0);
});

it("limitWait throws if the call is already aborted", () => {
  expect(() => limitWait(() => {}, AbortSignal.abort("gone"))).toThrow("gone");
  expect(vi.getTimerCount()).toBe(0);
});

describe("WaitAllowance", () => {
  let signal: AbortSignal;
  let allowance: WaitAllowance;
  beforeEach(() => {
    allowance = new WaitAllowance();
    signal = allowance.cover(new AbortController().signal);
  });

  /** Expects that this is the maximum wait of the call. */
  const expectLeft = (expectedMs: number): void => {
    const leave = vi.fn();
    limitWait(leave, signal);
    vi.advanceTimersByTime(expectedMs - 1);
    expect(leave).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(leave).toHaveBeenCalledExactlyOnceWith(expect.any(WaitTimeoutError));
  };

  it("limits the total time of waits in several queues", () => {
    const endFirst = limitWait(() => {}, signal);
    vi.advanceTimersByTime(4_000);
    endFirst();
    // Time between waits does not count.
    vi.advanceTimersByTime(MAX_WAIT_MS);
    const endSecond = limitWait(() => {}, signal);
    vi.advanceTimersByTime(3_000);
    endSecond();
    expectLeft(MAX_WAIT_MS - 7_000);
    expect(() => limitWait(() => {}, signal)).toThrow(WaitTimeoutError);
  });

  it("counts concurrent waits once", () => {
    const ends = [limitWait(() => {}, signal)];
    vi.advanceTimersByTime(1_000);
    ends.push(limitWait(() => {}, signal));
    vi.advanceTimersByTime(1_000);
    ends.shift()?.();
    vi.advanceTimersByTime(1_000);
    ends.shift()?.();
    expectLeft(MAX_WAIT_MS - 3_000);
  });

  it("ends concurrent waits at the same time", () => {
    const leave = vi.fn();
    limitWait(leave, signal);
    vi.advanceTimersByTime(MAX_WAIT_MS - 1_000);
    limitWait(leave, signal);
    vi.advanceTimersByTime(1_000);
    expect(leave).toHaveBeenCalledTimes(2);
  });

  it("counts the time until a promise resolves or rejects", async () => {
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2_000));
    const waits = [pause().then(() => "done"), pause().then(() => Promise.reject(new Error("no")))];
    const spent = waits.map((wait) => allowance.spendOn(wait));
    vi.advanceTimersByTime(2_000);
    await expect(spent[0]).resolves.toBe("done");
    await expect(spent[1]).rejects.toThrow("no");
    expectLeft(MAX_WAIT_MS - 2_000);
  });

  it("does not affect other calls", () => {
    limitWait(() => {}, new WaitAllowance().cover(new AbortController().signal));
    vi.advanceTimersByTime(4_000);
    expectLeft(MAX_WAIT_MS);
  });
});
