import { LRUCache } from "lru-cache";
import type { Day } from "../../model/day.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { EncodedRows } from "./encode/row-encoder.js";

const MAX_BYTES = 64 * 1024 * 1024;

interface CachedAnswer {
  readonly answer: EncodedRows;
  /** The generation of the project's data that the answer was made from. */
  readonly generation: number;
}

/** Answers that are kept encoded for as long as the data of their project stays as it is. */
export class AnswerCache {
  readonly #generations = new Map<string, number>();
  readonly #answers = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_BYTES,
    // The compressed forms of JSON, made when somebody asks for them, take less than half of it.
    sizeCalculation: ({ answer }, key) => Math.ceil(1.5 * answer.bytes.length) + key.length + 512,
  });

  readonly #lastListedDay: () => Day;
  /** The last day that any answer may have been about; the clock may have been set back since. */
  #lastDay: Day = Number.NEGATIVE_INFINITY;

  /** @param lastListedDay the last day that answers may be about at the moment. */
  constructor(store: Pick<DeliveryDataStore, "onPublished">, lastListedDay: () => Day) {
    this.#lastListedDay = lastListedDay;
    store.onPublished(({ project, day }) => {
      // Days that were never listed are in no answer; when one is, those of the days before are not asked for again.
      this.#noteLastDay();
      if (day <= this.#lastDay) this.#generations.set(project, this.#generationOf(project) + 1);
    });
  }

  /**
   * The answer to a request about a project.
   *
   * @param turn waits until it is the caller's turn to have it made.
   * @param key tells whatever the answer depends on besides the data.
   * @param make makes the answer if it is not there.
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
    // Another call may have had it made meanwhile.
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
