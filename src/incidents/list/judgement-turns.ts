import { Budget, type Release } from "../../limits/budget.js";
import { FairTurns } from "../../limits/fair-turns.js";
import { MAX_ALL_WAITING, MAX_JUDGEMENTS, MAX_JUDGING_CALLS, MAX_WAITING } from "../../limits/limits.js";

/**
 * Turns at judging apps, apart from those at answers: no page waits for a judgement. A call for all apps of a project,
 * which may take minutes, waits anew for each of them.
 */
export class JudgementTurns {
  readonly #placesOfCalls = new Budget({ total: Number.POSITIVE_INFINITY, each: MAX_JUDGING_CALLS });
  readonly #placesOfApps = new Budget({ total: MAX_JUDGEMENTS });
  readonly #calls = new FairTurns((line) => this.#placesOfCalls.take(line), {
    total: MAX_ALL_WAITING,
    each: MAX_WAITING,
  });
  /** Whoever waits here has the turn of a call, or is the job: there are no more than that. */
  readonly #apps = new FairTurns((project) => this.#placesOfApps.take(project), {
    total: Number.POSITIVE_INFINITY,
    each: Number.POSITIVE_INFINITY,
  });

  /**
   * Waits until no other call of the principal has apps judged. Calls for all apps do not hold up those for one.
   *
   * @returns ends the turn.
   * @throws NoSlotError, or the reason of `signal`.
   */
  ofCall(principal: string, isForAll: boolean, signal: AbortSignal): Promise<Release> {
    return this.#calls.take(JSON.stringify([principal, isForAll]), signal);
  }

  /**
   * Waits for the turn of a project at one app. In a project, the first to ask is the first to have its turn: principals
   * take turns because each has one call that asks.
   *
   * @param maxMs longest wait, in milliseconds; infinite for the job.
   * @returns ends the turn.
   * @throws WaitTimeoutError, or the reason of `signal`.
   */
  ofApp(project: string, signal: AbortSignal, maxMs: number): Promise<Release> {
    return this.#apps.take(project, signal, maxMs);
  }
}
