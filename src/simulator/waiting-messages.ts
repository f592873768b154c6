import type { Message } from "./message-source.js";

/** Maximum number of non-collapsible messages that wait for an app instance (specification 8). */
export const MAX_WAITING = 100;

/** Messages waiting for an app instance, in order of arrival. */
export class WaitingMessages {
  #messages: Message[] = [];
  #nextExpiry = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#messages.length;
  }

  /** Time of the first expiry. Infinity if no message waits. */
  get nextExpiry(): number {
    return this.#nextExpiry;
  }

  /** Adds a message. If there are now too many non-collapsible messages, removes and returns all of them. */
  add(message: Message): Message[] {
    this.#messages.push(message);
    this.#nextExpiry = Math.min(this.#nextExpiry, message.expiresAt);
    if (this.#messages.length <= MAX_WAITING) return [];
    const nonCollapsible = this.#messages.filter((waiting) => waiting.collapseKey === 0);
    return nonCollapsible.length > MAX_WAITING ? this.#take((waiting) => waiting.collapseKey === 0) : [];
  }

  /** Removes and returns the message that `later` replaces. */
  takeCollapsedBy(later: Message): Message | undefined {
    if (later.collapseKey === 0) return undefined;
    return this.#take((waiting) => waiting.collapseKey === later.collapseKey)[0];
  }

  takeExpired(now: number): Message[] {
    return now < this.#nextExpiry ? [] : this.#take((waiting) => waiting.expiresAt <= now);
  }

  takeAll(): Message[] {
    return this.#take(() => true);
  }

  #take(condition: (message: Message) => boolean): Message[] {
    const removed: Message[] = [];
    const left: Message[] = [];
    let nextExpiry = Number.POSITIVE_INFINITY;
    for (const message of this.#messages) {
      if (condition(message)) {
        removed.push(message);
      } else {
        left.push(message);
        nextExpiry = Math.min(nextExpiry, message.expiresAt);
      }
    }
    this.#messages = left;
    this.#nextExpiry = nextExpiry;
    return removed;
  }
}
