import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Failure, failedAgain, isDue } from "./mirror-state.js";
import { UpstreamError } from "./upstream/upstream.js";

const HOUR = 3_600_000;
const SCHEDULE = { every: 6 * HOUR, jitter: HOUR };
const NOW = Date.UTC(2026, 10, 22);

const failure = (retryAt: number): Failure => ({
  count: 1,
  kind: "unavailable",
  message: "HTTP 503",
  since: NOW,
  at: 0,
  retryAt,
});

describe("isDue", () => {
  const now = { wall: NOW, machine: 1000 * HOUR };

  test.each([
    ["returns true for an app that was never read", {}, true],
    ["returns true after the interval and the maximum jitter", { round: NOW - 7 * HOUR }, true],
    ["returns false before the interval has passed", { round: NOW - 6 * HOUR + 1 }, false],
    [
      "returns true if the last round is in the future, because the clock was set back",
      { round: NOW + 1 },
      true,
    ],
    ["returns false while an app waits after a failure", { failure: failure(now.machine + 1) }, false],
    ["returns true after the wait for a failure", { round: NOW, failure: failure(now.machine) }, true],
    [
      "returns true instead of waiting more than a day, after the system clock was different",
      { failure: failure(now.machine + 25 * HOUR) },
      true,
    ],
  ])("%s", (_, attempts, expected) => {
    expect(isDue(attempts, SCHEDULE, "42", now)).toBe(expected);
  });

  it("chooses another random delay in each round", () => {
    const dueAfter = (round: number): number => {
      let after = 0;
      while (!isDue({ round }, SCHEDULE, "42", { wall: round + after, machine: 0 })) after += 60_000;
      return after;
    };
    const times = Array.from({ length: 50 }, (_, index) => dueAfter(NOW + index * HOUR));
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(SCHEDULE.every);
      expect(time).toBeLessThanOrEqual(SCHEDULE.every + SCHEDULE.jitter);
    }
    expect(new Set(times).size).toBeGreaterThan(20);
    expect(times).toEqual(Array.from({ length: 50 }, (_, index) => dueAfter(NOW + index * HOUR)));
  });

  it("ends the wait after failures before a release, but not after later ones", () => {
    const machine = 1000 * HOUR;
    const waiting = { ...failure(machine + 1), at: machine - 10 };
    for (const [releasedAt, expected] of [
      [machine - 11, false],
      [machine - 10, true],
    ] as const) {
      const now = { wall: NOW, machine, releasedAt };
      expect(isDue({ failure: waiting }, SCHEDULE, "42", now)).toBe(expected);
    }
  });

  it("returns true after the clock was set back, and later at the usual interval", () => {
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), (hours) => {
        const turned = NOW + hours * HOUR;
        if (hours < 0) expect(isDue({ round: NOW }, SCHEDULE, "42", { wall: turned, machine: 0 })).toBe(true);
        const later = { wall: turned + SCHEDULE.every + SCHEDULE.jitter, machine: 0 };
        expect(isDue({ round: turned }, SCHEDULE, "42", later)).toBe(true);
      }),
    );
  });
});

describe("failedAgain", () => {
  it("counts failures, and keeps the start of consecutive failures of the same kind", () => {
    const rejected = new UpstreamError("credentials", "HTTP 401");
    const down = new UpstreamError("unavailable", "HTTP 503");
    const first = failedAgain(undefined, down, { wall: 1, machine: 10 }, (count) => count * 100);
    const second = failedAgain(first, down, { wall: 2, machine: 20 }, (count) => count * 100);
    const third = failedAgain(second, rejected, { wall: 3, machine: 30 }, (count) => count * 100);
    expect([first, second, third]).toEqual([
      { count: 1, kind: "unavailable", message: "HTTP 503", since: 1, at: 10, retryAt: 110 },
      { count: 2, kind: "unavailable", message: "HTTP 503", since: 1, at: 20, retryAt: 220 },
      { count: 3, kind: "credentials", message: "HTTP 401", since: 3, at: 30, retryAt: 330 },
    ]);
  });
});
