import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventTimeFormat } from "./event-time.js";

const instants = fc.integer({ min: 0, max: Date.UTC(9999, 0) });

describe("EventTimeFormat", () => {
  const time = new EventTimeFormat();

  it("formats UTC like Date", () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(time.format(instant, 0)).toBe(new Date(instant).toISOString());
      }),
    );
  });

  it("formats the same instant with any offset", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -720, max: 840 }), (instant, offset) => {
        expect(Date.parse(time.format(instant, offset))).toBe(instant);
      }),
    );
    expect(time.format(Date.UTC(2025, 2, 9, 1, 2, 3, 4), 330)).toBe("2025-03-09T06:32:03.004+05:30");
    expect(time.format(Date.UTC(2025, 2, 9, 1, 2, 3, 4), -480)).toBe("2025-03-08T17:02:03.004-08:00");
  });
});
