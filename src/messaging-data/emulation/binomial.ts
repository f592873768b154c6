import type { Draws } from "../draws.js";

/** Up to this expected number of successes the distribution is inverted, which takes as many steps; beyond it is normal. */
const FEW = 40;

/**
 * Draws the number of successes among `trials`, each with probability `chance`.
 *
 * @param trials an integer of at least 0.
 */
export function binomial(draws: Draws, trials: number, chance: number): number {
  if (trials === 0 || chance <= 0) return 0;
  if (chance >= 1) return trials;
  if (chance > 0.5) return trials - binomial(draws, trials, 1 - chance);
  return trials * chance <= FEW ? inverted(draws, trials, chance) : normal(draws, trials, chance);
}

/** Adds up the probabilities of 0, 1, 2 … successes until they exceed a fraction. */
function inverted(draws: Draws, trials: number, chance: number): number {
  const odds = chance / (1 - chance);
  let rest = draws.fraction();
  let probability = (1 - chance) ** trials;
  let successes = 0;
  while (rest >= probability && successes < trials) {
    rest -= probability;
    probability *= (odds * (trials - successes)) / (successes + 1);
    successes += 1;
  }
  return successes;
}

/** The normal approximation, by the method of Box and Muller. */
function normal(draws: Draws, trials: number, chance: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws.fraction()));
  const deviation = radius * Math.cos(2 * Math.PI * draws.fraction());
  const mean = trials * chance;
  const drawn = Math.round(mean + deviation * Math.sqrt(mean * (1 - chance)));
  return Math.min(trials, Math.max(0, drawn));
}
