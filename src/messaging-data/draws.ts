import { createHash } from "node:crypto";

const BYTES_OF_NUMBER = 4;

/**
 * Pseudorandom numbers, computed as SHA-256 of some names and a counter. The same names produce the same numbers on
 * every machine.
 */
export class Draws {
  readonly #names: string;
  #blocks = 0;
  #block = Buffer.alloc(0);
  #offset = 0;

  /** @param names identify a use of the numbers, such as a seed, an app and a day. */
  constructor(...names: readonly (string | number)[]) {
    this.#names = JSON.stringify(names);
  }

  /** Returns the next number, at least 0 and less than 1. */
  fraction(): number {
    if (this.#offset === this.#block.length) {
      this.#block = createHash("sha256")
        .update(`${this.#blocks++}${this.#names}`)
        .digest();
      this.#offset = 0;
    }
    const number = this.#block.readUInt32BE(this.#offset);
    this.#offset += BYTES_OF_NUMBER;
    return number / 2 ** 32;
  }
}

/**
 * Maximum expected number of successes for which the distribution is inverted, because that needs as many steps. For
 * more, the normal approximation is used.
 */
const FEW = 40;

/**
 * Draws a binomially distributed number of successes.
 *
 * @param trials number of trials, an integer of at least 0.
 * @param chance probability of success in each trial.
 */
export function binomial(draws: Draws, trials: number, chance: number): number {
  if (trials === 0 || chance <= 0) return 0;
  if (chance >= 1) return trials;
  if (chance > 0.5) return trials - binomial(draws, trials, 1 - chance);
  return trials * chance <= FEW ? inverted(draws, trials, chance) : normal(draws, trials, chance);
}

/** Draws by inversion: adds up the probabilities of 0, 1, 2 … successes until the sum exceeds a random fraction. */
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

/** Draws from the normal approximation of the distribution (Box–Muller). */
function normal(draws: Draws, trials: number, chance: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws.fraction()));
  const deviation = radius * Math.cos(2 * Math.PI * draws.fraction());
  const mean = trials * chance;
  const drawn = Math.round(mean + deviation * Math.sqrt(mean * (1 - chance)));
  return Math.min(trials, Math.max(0, drawn));
}
