import { describe, expect, it } from "vitest";
import { Throttle } from "./app-instance.js";

describe("Throttle", () => {
  it("admits a burst, then one message per interval, and a whole burst again after a pause", () => {
    const throttle = new Throttle(3, 100);
    const admitted = (now: number) =>
      Array.from({ length: 5 }, () => throttle.admit(now)).filter(Boolean).length;
    expect(admitted(1000)).toBe(3);
    expect(throttle.freeAt).toBe(1300);
    expect(admitted(1099)).toBe(0);
    expect(admitted(1100)).toBe(1);
    expect(admitted(throttle.freeAt)).toBe(3);
  });
});
