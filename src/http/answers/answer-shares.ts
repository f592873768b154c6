import { Budget, type Release } from "../../limits/budget.js";
import { FairTurns } from "../../limits/fair-turns.js";
import { WaitAllowance, WaitTimeoutError } from "../../limits/limit-wait.js";
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
  MAX_WAIT_MS,
  MAX_WAITING,
} from "../../limits/limits.js";
import { UnreadBytes } from "../../limits/unread-bytes.js";
import { responseBacklogExceeded } from "./answer-errors.js";

/** Limits that tests may change. */
export interface AnswerLimits {
  /** Timeout for a client to read one piece, in milliseconds. */
  readonly stallMs?: number;
  /** Maximum wait for a slot, in milliseconds. */
  readonly waitMs?: number;
}

/** The memory and turns that responses share: one instance for all listeners of a process. */
export class AnswerShares {
  readonly stallMs: number;
  readonly turns: FairTurns;
  readonly #waitMs: number;
  readonly #unread = new UnreadBytes({ total: MAX_ALL_UNREAD_BYTES, each: MAX_UNREAD_BYTES });
  readonly #unreadByStrangers = new UnreadBytes({
    total: MAX_ALL_STRANGERS_UNREAD_BYTES,
    each: MAX_STRANGER_UNREAD_BYTES,
  });
  readonly #places = new Budget({ total: MAX_ALL_TURNS, each: MAX_TURNS });

  constructor({ stallMs = MAX_STALL_MS, waitMs = MAX_WAIT_MS }: AnswerLimits = {}) {
    this.stallMs = stallMs;
    this.#waitMs = waitMs;
    const waiting = { total: MAX_ALL_WAITING, each: MAX_WAITING };
    this.turns = new FairTurns((budgetKey) => this.#tryBegin(budgetKey), waiting);
  }

  /**
   * Waits for a slot of a caller.
   *
   * @returns frees the slot.
   * @throws ApiError `RESPONSE_BACKLOG_EXCEEDED` if unread responses of the caller left no slot; NoSlotError; the reason of
   *   `signal`.
   */
  async turn(budgetKey: string, signal: AbortSignal): Promise<Release> {
    try {
      return await this.turns.take(budgetKey, signal, this.#waitMs);
    } catch (error) {
      const isUnread = !this.#unread.hasRoom(budgetKey, MAX_EXPECTED_ANSWER_BYTES);
      throw isUnread && error instanceof WaitTimeoutError ? responseBacklogExceeded(error) : error;
    }
  }

  /** Counts unread bytes of a caller. @returns `undefined` if a limit would be exceeded. */
  hold(budgetKey: string, bytes: Uint8Array): Release | undefined {
    const release = this.#unread.hold(budgetKey, bytes);
    if (release === undefined) return undefined;
    return () => {
      release();
      this.turns.next();
    };
  }

  /** Counts unread bytes of an unauthenticated caller. @returns `undefined` if a limit would be exceeded. */
  holdForStranger(network: string, bytes: Uint8Array): Release | undefined {
    return this.#unreadByStrangers.hold(network, bytes);
  }

  /** Reserves a slot, and memory for the response that is made with it. */
  #tryBegin(budgetKey: string): Release | undefined {
    const leavePlace = this.#places.take(budgetKey);
    if (leavePlace === undefined) return undefined;
    const freeRoom = this.#unread.reserve(budgetKey, MAX_EXPECTED_ANSWER_BYTES);
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

/** Accounts for the memory and the turn of the response to one call. */
export class CallShare {
  readonly #shares: AnswerShares;
  /** Returns the remote network of the call, which stands for a caller that is not authorized. */
  readonly networkOf: () => string;
  /** The time that the call may wait, for the slot and in other queues. */
  readonly waits = new WaitAllowance();
  #endTurn: Release | undefined;
  /** The caller's budget key, once the authorization has allowed the call. */
  budgetKey: string | undefined;

  constructor(shares: AnswerShares, networkOf: () => string) {
    this.#shares = shares;
    this.networkOf = networkOf;
  }

  /** Timeout for the client to read one piece, in milliseconds. */
  get stallMs(): number {
    return this.#shares.stallMs;
  }

  /**
   * Waits for the caller's turn at work that takes long or much memory. A call has a single turn, which lasts
   * until its response is held. Calls that need no authorization need no turn: their responses are made once for all
   * of them.
   *
   * @throws what {@link AnswerShares.turn} throws.
   */
  async turn(signal: AbortSignal): Promise<void> {
    if (this.#endTurn !== undefined || this.budgetKey === undefined) return;
    this.#endTurn = await this.#shares.turn(this.budgetKey, this.waits.cover(signal));
  }

  /**
   * Counts a response until the client has read it. If the caller has left too much unread, a shared
   * response waits for room. A response that was made for this call alone is dropped: the memory of waiting
   * ones would be unbounded.
   *
   * @throws ApiError `RESPONSE_BACKLOG_EXCEEDED`, or what {@link turn} throws.
   */
  holdAnswer(answer: Uint8Array, makeSignal: () => AbortSignal): Release | Promise<Release> {
    const isShared = this.#endTurn === undefined;
    const release = this.hold(answer);
    if (release !== undefined) return release;
    if (!isShared || this.budgetKey === undefined) throw responseBacklogExceeded();
    return this.turn(makeSignal()).then(() => this.hold(answer) ?? Promise.reject(responseBacklogExceeded()));
  }

  /**
   * Counts bytes until the client has read them, and ends the turn.
   *
   * @returns `undefined` if the caller has left too much unread.
   */
  hold(bytes: Uint8Array): Release | undefined {
    this.end();
    if (bytes.length <= MAX_UNCOUNTED_ANSWER_BYTES) return nothing;
    return this.budgetKey === undefined
      ? this.#shares.holdForStranger(this.networkOf(), bytes)
      : this.#shares.hold(this.budgetKey, bytes);
  }

  /** Ends the turn, if the call has one. Every call must end with this. */
  end(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }
}
