import type { Day } from "../../model/day.js";
import type { VolumeDay } from "./volume-run.js";

/** Number of recent days to remember. */
const REMEMBERED_DAYS = 56;
/** Minimum number of compared days before far days can be unusual. */
const LEAST_DAYS = 7;
/** Number of incidents within {@link REMEMBERED_DAYS} after which further ones count as usual. */
const USUAL_INCIDENTS = 2;

/**
 * Recent days with far more or far fewer messages than usual. Such days are normal for a sender of irregular campaigns,
 * and unusual for others.
 */
export class FarDays {
  readonly #prior: number;
  readonly #unusual: number;
  /** One value for each compared day: true if its number of messages was far from usual. */
  readonly #compared: boolean[] = [];
  /** Past runs of far days. */
  readonly #runs: { readonly last: Day; readonly days: number; readonly wasReported: boolean }[] = [];

  /**
   * @param prior number of far days to assume before the compared ones. If it is 0, a first far day is unusual.
   * @param unusual negative logarithm of the probability below which consecutive far days are unusual.
   */
  constructor(prior: number, unusual: number) {
    this.#prior = prior;
    this.#unusual = unusual;
  }

  /** Adds a day that is not part of an incident. */
  add(isFar: boolean): void {
    this.#compared.push(isFar);
    if (this.#compared.length > REMEMBERED_DAYS) this.#compared.shift();
  }

  addRun(run: readonly VolumeDay[], wasReported: boolean): void {
    const last = run.at(-1);
    if (last !== undefined) this.#runs.push({ last: last.day, days: run.length, wasReported });
  }

  probability(today: Day): number {
    return (this.#usual(today) + 1) / (this.#compared.length + 2);
  }

  /** Returns true if consecutive far days up to today are unusual. */
  areUnusual(run: readonly VolumeDay[]): boolean {
    const today = run.at(-1);
    const compared = this.#compared.length;
    if (today === undefined || compared < LEAST_DAYS) return false;
    const usual = this.#usual(today.day) + this.#prior;
    if (usual === 0) return true;
    const longest = this.#recent(today.day).reduce((most, { days }) => Math.max(most, days), 0);
    return run.length * -Math.log(usual / compared) >= this.#unusual && run.length >= 2 * longest;
  }

  #usual(today: Day): number {
    const reported = this.#recent(today).filter(({ wasReported }) => wasReported);
    const ofIncidents =
      reported.length < USUAL_INCIDENTS ? 0 : reported.reduce((sum, { days }) => sum + days, 0);
    return this.#compared.filter(Boolean).length + ofIncidents;
  }

  #recent(today: Day) {
    return this.#runs.filter(({ last }) => last > today - REMEMBERED_DAYS);
  }
}
