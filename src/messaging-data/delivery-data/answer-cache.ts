import { LRUCache } from "lru-cache";
import type { Day } from "../../model/day.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { EncodedRows } from "./encode/row-encoder.js";

const MAX_BYTES = 64 * 1024 * 1024;

interface CachedAnswer {
  readonly answer: EncodedRows;
  /** Version of the days that the answer was made from. */
  readonly version: string;
}

/** Days of a project that an answer may contain. */
export interface AnsweredDays {
  /** Project number, in decimal. */
  readonly project: string;
  /** Last day of the answer. */
  readonly until: Day;
}

/**
 * Caches encoded answers for as long as the days that they may contain are unchanged. Publications of later
 * days, such as the rollups of today, leave an answer in the cache.
 */
export class AnswerCache {
  readonly #store: Pick<DeliveryDataStore, "version">;
  readonly #answers = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_BYTES,
    // Compressed forms of the JSON, made on demand, take less than half its size.
    sizeCalculation: ({ answer }, key) => Math.ceil(1.5 * answer.bytes.length) + key.length + 512,
  });

  constructor(store: Pick<DeliveryDataStore, "version">) {
    this.#store = store;
  }

  /**
   * Returns the answer to a request about days of a project, from the cache if possible.
   *
   * @param key everything that the answer depends on besides the days and their data.
   * @param turn waits for the caller's turn to make the answer.
   * @param make makes the answer if it is not cached.
   */
  async answer(
    { project, until }: AnsweredDays,
    key: readonly unknown[],
    turn: () => Promise<void>,
    make: () => Promise<EncodedRows>,
  ): Promise<EncodedRows> {
    const text = JSON.stringify([project, until, ...key]);
    const kept = this.#kept(text, await this.#store.version(project, until));
    if (kept !== undefined) return kept;
    await turn();
    const version = await this.#store.version(project, until);
    // Another call may have made it meanwhile.
    const made = this.#kept(text, version);
    if (made !== undefined) return made;
    const answer = await make();
    this.#answers.set(text, { answer, version });
    return answer;
  }

  #kept(text: string, version: string): EncodedRows | undefined {
    const cached = this.#answers.get(text);
    return cached?.version === version ? cached.answer : undefined;
  }
}
