import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withinTime } from "./requests.js";

const LATE = new Error("late");
const OWN = new Error("own");

/** Work that ends when its signal aborts, with its own error, as requests may. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(OWN));
  });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe("withinTime", () => {
  it("returns the work's result", async () => {
    const { signal } = new AbortController();
    expect(await withinTime(1_000, LATE, signal, async () => 42)).toBe(42);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("fails with the work's error", async () => {
    const { signal } = new AbortController();
    await expect(withinTime(1_000, LATE, signal, () => Promise.reject(OWN))).rejects.toBe(OWN);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("aborts the work when the timeout is reached", async () => {
    const ended = expect(withinTime(1_000, LATE, new AbortController().signal, endless)).rejects.toBe(LATE);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1_000);
    await ended;
  });

  it("restarts the timeout when the work requests it", async () => {
    let again = (): void => {};
    const running = withinTime(1_000, LATE, new AbortController().signal, (signal, restart) => {
      again = restart;
      return endless(signal);
    });
    let isOver = false;
    const ended = expect(running).rejects.toBe(LATE);
    running.catch(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    again();
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
  });

  it("fails with the abort reason when the signal aborts", async () => {
    const controller = new AbortController();
    const ended = expect(withinTime(1_000, LATE, controller.signal, endless)).rejects.toBe("gone");
    controller.abort("gone");
    await ended;
  });

  it("does not start the work if the signal has already aborted", async () => {
    const work = vi.fn(async () => 42);
    await expect(withinTime(1_000, LATE, AbortSignal.abort("gone"), work)).rejects.toBe("gone");
    expect(work).not.toHaveBeenCalled();
  });

  it("supports nested timeouts", async () => {
    const { signal } = new AbortController();
    const whole = new Error("whole");
    const running = withinTime(1_500, whole, signal, (outer) =>
      withinTime(1_000, LATE, outer, (inner, again) => {
        setTimeout(again, 900);
        return endless(inner);
      }),
    );
    const ended = expect(running).rejects.toBe(whole);
    await vi.advanceTimersByTimeAsync(1_500);
    await ended;
  });
});
