import type { Random } from "../../src/simulator/random.js";
import type { Batch, Traffic } from "../expected/traffic.js";

/** An import request that is sent until it is acknowledged. */
export interface PendingImport {
  readonly project: string;
  readonly batch: Batch;
}

/** Import requests that are not acknowledged yet. */
export class ImportQueue {
  readonly #pending: PendingImport[] = [];
  #underWay = 0;
  #events = 0;

  /** Number of events that the server has acknowledged, including repeated ones. */
  get acknowledgedEvents(): number {
    return this.#events;
  }

  /** True if every request is acknowledged. */
  get isEmpty(): boolean {
    return this.#pending.length + this.#underWay === 0;
  }

  add({ project, batches }: Traffic): void {
    for (const batch of batches) this.#pending.push({ project, batch });
  }

  /** Removes a random request, which the caller must acknowledge or put back. */
  take(random: Random): PendingImport | undefined {
    const [taken] = this.#pending.splice(random.below(this.#pending.length), 1);
    if (taken !== undefined) this.#underWay += 1;
    return taken;
  }

  acknowledge({ batch }: PendingImport): void {
    this.#underWay -= 1;
    this.#events += batch.lines;
  }

  giveBack(pending: PendingImport): void {
    this.#underWay -= 1;
    this.#pending.push(pending);
  }
}
