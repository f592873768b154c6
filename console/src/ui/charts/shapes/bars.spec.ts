import { describe, expect, it } from "vitest";
import { barsPath } from "./bars.js";
import { dayScaleOf } from "./day-scale.js";

const DAYS = dayScaleOf({ first: 0, last: 4 }, 0, 500);

describe("barsPath", () => {
  it("draws a bar on its day, from top to bottom", () => {
    expect(barsPath([{ day: 1, top: 20, bottom: 80 }], DAYS)).toBe("M109.00,20.00h82.00V80.00h-82.00z");
  });

  it("centers a narrower bar on its day", () => {
    expect(barsPath([{ day: 0, top: 0, bottom: 10 }], DAYS, 0.5)).toBe("M29.50,0.00h41.00V10.00h-41.00z");
  });

  it("leaves out bars without height", () => {
    expect(barsPath([{ day: 0, top: 10, bottom: 10 }], DAYS)).toBe("");
  });
});
