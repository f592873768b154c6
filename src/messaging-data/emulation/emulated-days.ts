import { type Day, FIRST_DAY, lastListedDay, listedSince } from "../../model/day.js";
import { Draws } from "../draws.js";
import type { Emulation } from "./emulation.js";

/** The rule by which the days of apps appear late, stay away and are forgotten. */
export class EmulatedDays {
  readonly #emulation: Pick<Emulation, "seed" | "window" | "delay" | "missingDays">;
  readonly #settleDelay: number;

  /** @param settleDelay the time after which days are listed without emulation, in milliseconds. */
  constructor(emulation: Pick<Emulation, "seed" | "window" | "delay" | "missingDays">, settleDelay: number) {
    this.#emulation = emulation;
    this.#settleDelay = settleDelay;
  }

  /**
   * Returns the first and the last day that any app may have at a time.
   *
   * @param now in milliseconds since the Unix epoch.
   */
  bounds(now: number): { readonly since: Day; readonly until: Day } {
    const { window, delay } = this.#emulation;
    const shown = this.#settleDelay + delay.max;
    return {
      since: window === undefined ? FIRST_DAY : Math.max(FIRST_DAY, lastListedDay(now, shown + window) + 1),
      until: lastListedDay(now, this.#settleDelay + delay.min),
    };
  }

  /**
   * Tells whether an app has a day within the bounds at a time.
   *
   * @param now in milliseconds since the Unix epoch.
   */
  has(appId: string, day: Day, now: number): boolean {
    const { seed, delay, missingDays } = this.#emulation;
    const draws = new Draws(seed, "day", appId, day);
    const late = delay.min + Math.floor(draws.fraction() * (delay.max - delay.min));
    return now >= listedSince(day, this.#settleDelay) + late && draws.fraction() >= missingDays;
  }
}
