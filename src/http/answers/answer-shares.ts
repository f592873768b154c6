import { answerQueueFull, answersUnread } from "../../api/http-errors.js";
import { Budget, type Release } from "../../limits/budget.js";
import { FairTurns } from "../../limits/fair-turns.js";
import {
  MAX_ALL_STRANGERS_UNREAD_BYTES,
  MAX_ALL_TURNS,
  MAX_ALL_UNREAD_BYTES,
  MAX_ALL_WAITING,
  MAX_EXPECTED_ANSWER_BYTES,
  MAX_STALL_MS,
  MAX_STRANGER_UNREAD_BYTES,
  MAX_TURNS,
  MAX_UNCOUNTED_ANSWER_BYTES,
  MAX_UNREAD_BYTES,
  MAX_WAITING,
} from "../../limits/limits.js";
import { UnreadBytes } from "../../limits/unread-bytes.js";

/** Limits that tests change. */
export interface AnswerLimits {
  /** How long a client may take for each piece of an answer, in milliseconds. */
  readonly stallMs?: number;
}

/** What answers take that all callers share: one for all listeners of a process. */
export class AnswerShares {
  readonly stallMs: number;
  readonly turns: FairTurns;
  readonly #unread = new UnreadBytes({ total: MAX_ALL_UNREAD_BYTES, each: MAX_UNREAD_BYTES });
  readonly #unreadByStrangers = new UnreadBytes({
    total: MAX_ALL_STRANGERS_UNREAD_BYTES,
    each: MAX_STRANGER_UNREAD_BYTES,
  });
  readonly #places = new Budget({ total: MAX_ALL_TURNS, each: MAX_TURNS });

  constructor({ stallMs = MAX_STALL_MS }: AnswerLimits = {}) {
    this.stallMs = stallMs;
    const waiting = { total: MAX_ALL_WAITING, each: MAX_WAITING };
    this.turns = new FairTurns((principal) => this.#tryBegin(principal), waiting);
  }

  /** Counts what a principal has not taken yet. @returns `undefined` if it is too much. */
  hold(principal: string, bytes: Uint8Array): Release | undefined {
    const release = this.#unread.hold(principal, bytes);
    if (release === undefined) return undefined;
    return () => {
      release();
      this.turns.next();
    };
  }

  /** Counts what a stranger has not taken yet. @returns `undefined` if it is too much. */
  holdForStranger(address: string, bytes: Uint8Array): Release | undefined {
    return this.#unreadByStrangers.hold(address, bytes);
  }

  /** A turn takes a place, and room for what is made. */
  #tryBegin(principal: string): Release | undefined {
    const leavePlace = this.#places.take(principal);
    if (leavePlace === undefined) return undefined;
    const freeRoom = this.#unread.reserve(principal, MAX_EXPECTED_ANSWER_BYTES);
    if (freeRoom === undefined) {
      leavePlace();
      return undefined;
    }
    return () => {
      leavePlace();
      freeRoom();
    };
  }
}

const nothing: Release = () => {};

/** What the answer to one call takes of the shares. */
export class CallShare {
  readonly #shares: AnswerShares;
  readonly #address: () => string | undefined;
  #endTurn: Release | undefined;
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
   * Waits until it is the caller's turn to have something made that takes long or much memory. A call has one turn for all of
   * that, until its answer is held. What strangers may ask for is made once for all of them.
   *
   * @throws ApiError `ANSWER_QUEUE_FULL`, or the reason of `signal`.
   */
  async turn(signal: AbortSignal): Promise<void> {
    if (this.#endTurn !== undefined || this.principal === undefined) return;
    const turn = this.#shares.turns.take(this.principal, signal);
    if (turn === undefined) throw answerQueueFull();
    this.#endTurn = await turn;
  }

  /**
   * Counts an answer until the client has taken it. If the caller has left too many untaken, one that is shared waits for
   * room; one that was made for this call is given up, as the memory of those that wait would have no bound.
   *
   * @throws ApiError `ANSWERS_UNREAD` or `ANSWER_QUEUE_FULL`, or the reason of the signal.
   */
  holdAnswer(answer: Uint8Array, makeSignal: () => AbortSignal): Release | Promise<Release> {
    const isShared = this.#endTurn === undefined;
    const release = this.hold(answer);
    if (release !== undefined) return release;
    if (!isShared || this.principal === undefined) throw answersUnread();
    return this.turn(makeSignal()).then(() => this.hold(answer) ?? Promise.reject(answersUnread()));
  }

  /**
   * Counts bytes until the client has taken them, and ends the turn.
   *
   * @returns `undefined` if the caller has left too many untaken already.
   */
  hold(bytes: Uint8Array): Release | undefined {
    this.end();
    if (bytes.length <= MAX_UNCOUNTED_ANSWER_BYTES) return nothing;
    return this.principal === undefined
      ? this.#shares.holdForStranger(this.#address() ?? "", bytes)
      : this.#shares.hold(this.principal, bytes);
  }

  /** Ends the turn, if the call has one. To be called at the end of every call. */
  end(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }
}
