import { describe, expect, it } from "vitest";
import { binomial, Draws } from "./draws.js";

describe("binomial", () => {
  it.each([
    [0, 0.3],
    [1, 0.3],
    [30, 0.02],
    [30, 0.98],
    [200, 0.5],
    [5_000, 0.001],
    [1_000_000, 0.25],
    [2 ** 40, 0.5],
  ])("draws from %i trials with chance %d, with the expected mean and variance", (trials, chance) => {
    const draws = new Draws("binomial", trials);
    const drawn = Array.from({ length: 4_000 }, () => binomial(draws, trials, chance));
    expect(drawn.every((count) => Number.isInteger(count) && count >= 0 && count <= trials)).toBe(true);
    const [mean, variance] = [trials * chance, trials * chance * (1 - chance)];
    const average = drawn.reduce((sum, count) => sum + count, 0) / drawn.length;
    const spread = drawn.reduce((sum, count) => sum + (count - mean) ** 2, 0) / drawn.length;
    // Five standard errors.
    expect(Math.abs(average - mean)).toBeLessThanOrEqual(5 * Math.sqrt(variance / drawn.length));
    expect(Math.abs(spread - variance)).toBeLessThanOrEqual(0.15 * variance + 0.02);
  });

  it.each([
    [0, 0],
    [-0.1, 0],
    [1, 12],
    [1.1, 12],
  ])("with chance %d returns %i successes in 12 trials", (chance, successes) => {
    expect(binomial(new Draws("certain"), 12, chance)).toBe(successes);
  });
});
