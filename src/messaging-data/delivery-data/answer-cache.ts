import { LRUCache } from "lru-cache";
import type { Day } from "../../model/day.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { EncodedRows } from "./encode/row-encoder.js";

const MAX_BYTES = 64 * 1024 * 1024;

interface CachedAnswer {
  readonly answer: EncodedRows;
  /** Generation of the project's data that the answer was made from. */
  readonly generation: number;
}

/** Caches encoded answers for as long as the data of their project are unchanged. */
export class AnswerCache {
  readonly #generations = new Map<string, number>();
  readonly #answers = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_BYTES,
    // Compressed forms of the JSON, made on demand, take less than half its size.
    sizeCalculation: ({ answer }, key) => Math.ceil(1.5 * answer.bytes.length) + key.length + 512,
  });

  readonly #lastListedDay: () => Day;
  /** Last day that any answer may contain; kept here because the clock may be set back. */
  #lastDay: Day = Number.NEGATIVE_INFINITY;

  /** @param lastListedDay returns the last day that answers may contain now. */
  constructor(store: Pick<DeliveryDataStore, "onPublished">, lastListedDay: () => Day) {
    this.#lastListedDay = lastListedDay;
    store.onPublished(({ project, day }) => {
      // A day that was never listed is in no answer. Once it is listed, requests ask for later days and miss
      // the older answers.
      this.#noteLastDay();
      if (day <= this.#lastDay) this.#generations.set(project, this.#generationOf(project) + 1);
    });
  }

  /**
   * Returns the answer to a request about a project, from the cache if possible.
   *
   * @param turn waits for the caller's turn to make the answer.
   * @param key everything that the answer depends on besides the data.
   * @param make makes the answer if it is not cached.
   */
  async answer(
    project: string,
    key: readonly unknown[],
    turn: () => Promise<void>,
    make: () => Promise<EncodedRows>,
  ): Promise<EncodedRows> {
    this.#noteLastDay();
    const text = JSON.stringify([project, ...key]);
    const kept = this.#kept(project, text);
    if (kept !== undefined) return kept;
    await turn();
    // Another call may have made it meanwhile.
    const made = this.#kept(project, text);
    if (made !== undefined) return made;
    const generation = this.#generationOf(project);
    const answer = await make();
    this.#answers.set(text, { answer, generation });
    return answer;
  }

  #noteLastDay(): void {
    this.#lastDay = Math.max(this.#lastDay, this.#lastListedDay());
  }

  #kept(project: string, text: string): EncodedRows | undefined {
    const cached = this.#answers.get(text);
    return cached?.generation === this.#generationOf(project) ? cached.answer : undefined;
  }

  #generationOf(project: string): number {
    return this.#generations.get(project) ?? 0;
  }
}
