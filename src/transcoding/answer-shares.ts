import type { Release } from "../limits/budget.js";
import {
  MAX_ALL_STRANGERS_UNREAD_BYTES,
  MAX_ALL_UNREAD_BYTES,
  MAX_STALL_MS,
  MAX_STRANGER_UNREAD_BYTES,
  MAX_UNCOUNTED_ANSWER_BYTES,
  MAX_UNREAD_BYTES,
} from "../limits/limits.js";
import { UnreadBytes } from "../limits/unread-bytes.js";

/** Limits that tests change. */
export interface AnswerLimits {
  /** How long a client may take for each piece of an answer, in milliseconds. */
  readonly stallMs?: number;
}

/** What answers take that all callers share: one for all listeners of a process. */
export class AnswerShares {
  readonly stallMs: number;
  readonly unread = new UnreadBytes({ total: MAX_ALL_UNREAD_BYTES, each: MAX_UNREAD_BYTES });
  readonly unreadByStrangers = new UnreadBytes({
    total: MAX_ALL_STRANGERS_UNREAD_BYTES,
    each: MAX_STRANGER_UNREAD_BYTES,
  });

  constructor({ stallMs = MAX_STALL_MS }: AnswerLimits = {}) {
    this.stallMs = stallMs;
  }
}

const nothing: Release = () => {};

/** What the answer to one call takes of the shares. */
export class CallShare {
  readonly #shares: AnswerShares;
  readonly #address: () => string | undefined;
  /** Who calls, once the authorization has let the call pass. */
  principal: string | undefined;

  /** @param address that the call comes from; counts where nobody knows who calls. */
  constructor(shares: AnswerShares, address: () => string | undefined) {
    this.#shares = shares;
    this.#address = address;
  }

  /** How long the client may take for each piece of the answer, in milliseconds. */
  get stallMs(): number {
    return this.#shares.stallMs;
  }

  /**
   * Counts bytes of the answer until the client has taken them.
   *
   * @returns `undefined` if the caller has left too many untaken already.
   */
  hold(bytes: Uint8Array): Release | undefined {
    if (bytes.length <= MAX_UNCOUNTED_ANSWER_BYTES) return nothing;
    const { unread, unreadByStrangers } = this.#shares;
    return this.principal === undefined
      ? unreadByStrangers.hold(this.#address() ?? "", bytes)
      : unread.hold(this.principal, bytes);
  }
}
