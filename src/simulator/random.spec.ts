import { describe, expect, it, test } from "vitest";
import { longTail, Random, WeightedChoice } from "./random.js";

describe("WeightedChoice", () => {
  test.each([{ weights: [1] }, { weights: [1, 1] }, { weights: [0, 3, 1] }, { weights: longTail(30, 1.1) }])(
    "chooses by the weights $weights",
    ({ weights }) => {
      const choice = new WeightedChoice(weights);
      const random = new Random(1);
      const draws = 200_000;
      const hits = weights.map(() => 0);
      for (let draw = 0; draw < draws; draw++) {
        const index = choice.next(random);
        hits[index] = (hits[index] ?? 0) + 1;
      }
      const total = weights.reduce((sum, weight) => sum + weight);
      for (const [index, weight] of weights.entries()) {
        expect((hits[index] ?? 0) / draws).toBeCloseTo(weight / total, 2);
      }
    },
  );

  it("never chooses an index of weight 0", () => {
    const choice = new WeightedChoice([0, 1, 0]);
    const random = new Random(7);
    expect(Array.from({ length: 10_000 }, () => choice.next(random)).every((index) => index === 1)).toBe(
      true,
    );
  });
});
