import { describe, expect, it } from "vitest";
import { barsPath, linePath, pointsPath } from "./paths.js";
import { dayScaleOf } from "./scales.js";

const DAYS = dayScaleOf({ first: 0, last: 4 }, 0, 500);

const moves = (path: string): number => path.split("M").length - 1;

describe("a line", () => {
  const at = (...days: number[]) => days.map((day) => ({ day, y: day * 10 }));

  it("connects consecutive days", () => {
    expect(linePath(at(0, 1, 2), DAYS)).toBe("M50,0L150,10L250,20");
  });

  it("has a gap where a day is missing or has no value", () => {
    expect(moves(linePath(at(0, 1, 3, 4), DAYS))).toBe(2);
    expect(moves(linePath([...at(0, 1), { day: 2, y: undefined }, ...at(3, 4)], DAYS))).toBe(2);
  });

  it("has as many points as fit, and one on every isolated day", () => {
    expect(moves(pointsPath(at(0, 1, 2, 3, 4), DAYS, "circle"))).toBe(5);
    // 4 px per day: every fourth day has a point, counted from the last.
    const dense = dayScaleOf({ first: 0, last: 99 }, 0, 400);
    expect(moves(pointsPath(at(...Array(100).keys()), dense, "square"))).toBe(25);
    expect(moves(pointsPath(at(2, 10, 11, 12), dense, "cross"))).toBe(2);
  });
});

describe("barsPath", () => {
  it("draws a bar on its day, from top to bottom", () => {
    expect(barsPath([{ day: 1, top: 20, bottom: 80 }], DAYS)).toBe("M109.00,20.00h82.00V80.00h-82.00z");
  });

  it("centers a narrower bar on its day", () => {
    expect(barsPath([{ day: 0, top: 0, bottom: 10 }], DAYS, 0.5)).toBe("M29.50,0.00h41.00V10.00h-41.00z");
  });

  it("skips bars without height", () => {
    expect(barsPath([{ day: 0, top: 10, bottom: 10 }], DAYS)).toBe("");
  });
});
