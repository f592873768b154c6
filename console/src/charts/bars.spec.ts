import { describe, expect, it } from "vitest";
import { barsPath } from "./bars.js";
import { dayScaleOf } from "./day-scale.js";

const DAYS = dayScaleOf({ first: 0, last: 4 }, 0, 500);

describe("bars", () => {
  it("stand on their day, from the top to the bottom", () => {
    expect(barsPath([{ day: 1, top: 20, bottom: 80 }], DAYS)).toBe("M109.00,20.00h82.00V80.00h-82.00z");
  });

  it("stand in the middle of their day if they are narrower", () => {
    expect(barsPath([{ day: 0, top: 0, bottom: 10 }], DAYS, 0.5)).toBe("M29.50,0.00h41.00V10.00h-41.00z");
  });

  it("are left out where there is nothing", () => {
    expect(barsPath([{ day: 0, top: 10, bottom: 10 }], DAYS)).toBe("");
  });
});
