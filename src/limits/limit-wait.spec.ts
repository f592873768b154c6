import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { limitWait, WaitTimeoutError } from "./limit-wait.js";
import { MAX_WAIT_MS } from "./limits.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
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
