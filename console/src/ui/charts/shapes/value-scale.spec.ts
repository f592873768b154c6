import { describe, expect, it } from "vitest";
import { valueScaleOf } from "./value-scale.js";

describe("valueScaleOf", () => {
  it.each([
    { max: 1_037, limit: undefined, ticks: [0, 500, 1_000, 1_500] },
    { max: 0, limit: undefined, ticks: [0, 0.5, 1] },
    { max: 98, limit: 100, ticks: [0, 50, 100] },
    { max: 100, limit: 100, ticks: [0, 50, 100] },
    { max: 7.3, limit: 100, ticks: [0, 2, 4, 6, 8] },
  ])("puts lines up to $max at $ticks", ({ max, limit, ticks }) => {
    const scale = valueScaleOf(max, 20, 200, limit);
    expect(scale.ticks).toEqual(ticks);
    expect(scale.y(0)).toBe(200);
    expect(scale.y(ticks.at(-1) ?? 0)).toBe(20);
  });
});
