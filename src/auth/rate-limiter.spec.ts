import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateLimiter } from "./rate-limiter.js";
import { ManualClock } from "./testing/manual-clock.js";
import { rejectionOf } from "./testing/rejection-of.js";

describe("RateLimiter", () => {
  it("admits a burst with the requests of one minute, then requests at the configured rate", async () => {
    const clock = new ManualClock();
    const limiter = new RateLimiter(6, clock);
    for (let sent = 0; sent < 6; sent++) limiter.take("someone");

    const rejection = await rejectionOf(() => limiter.take("someone"));
    expect(rejection).toMatchObject({
      reason: "RATE_LIMIT_EXCEEDED",
      httpStatus: 429,
      headers: { "retry-after": "10" },
      metadata: { requestsPerMinute: "6", retrySeconds: "10" },
    });

    clock.advance(10_000);
    limiter.take("someone");
    await rejectionOf(() => limiter.take("someone"));
  });

  it("accumulates permits for at most one minute", () => {
    const clock = new ManualClock();
    const limiter = new RateLimiter(6, clock);
    limiter.take("someone");
    clock.advance(3_600_000);
    for (let sent = 0; sent < 6; sent++) limiter.take("someone");
    expect(() => limiter.take("someone")).toThrow();
  });

  it("limits each principal separately", () => {
    const limiter = new RateLimiter(1, new ManualClock());
    limiter.take("one");
    expect(() => limiter.take("one")).toThrow();
    expect(() => limiter.take("another")).not.toThrow();
  });

  it("admits a request after the announced pause", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.nat(5_000)),
        (requestsPerMinute, pauses) => {
          const clock = new ManualClock();
          const limiter = new RateLimiter(requestsPerMinute, clock);
          for (const pause of pauses) {
            clock.advance(pause);
            try {
              limiter.take("someone");
            } catch (error) {
              clock.advance(
                Number((error as { headers: Record<string, string> }).headers["retry-after"]) * 1_000,
              );
              limiter.take("someone");
            }
          }
        },
      ),
    );
  });

  it("never admits more requests than the burst plus the refill", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.nat(2_000), { maxLength: 300 }),
        (rpm, pauses) => {
          const clock = new ManualClock();
          const limiter = new RateLimiter(rpm, clock);
          let admitted = 0;
          for (const pause of pauses) {
            clock.advance(pause);
            try {
              limiter.take("someone");
              admitted += 1;
            } catch {}
          }
          expect(admitted).toBeLessThanOrEqual(rpm + (clock.monotonic() * rpm) / 60_000 + 1e-6);
        },
      ),
    );
  });
});
