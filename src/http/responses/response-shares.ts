import { Budget, type Release } from "../../limits/budget.js";
import { FairSlots } from "../../limits/fair-slots.js";
import { WaitAllowance, WaitTimeoutError } from "../../limits/limit-wait.js";
import {
  MAX_ALL_SLOTS,
  MAX_ALL_UNAUTHENTICATED_UNREAD_BYTES,
  MAX_ALL_UNREAD_BYTES,
  MAX_ALL_WAITING,
  MAX_EXPECTED_RESPONSE_BYTES,
  MAX_STALL_MS,
  MAX_UNAUTHENTICATED_UNREAD_BYTES,
  MAX_UNCOUNTED_RESPONSE_BYTES,
  MAX_UNREAD_BYTES,
  MAX_WAIT_MS,
  MAX_WAITING,
} from "../../limits/request-limits.js";
import { UnreadBytes } from "../../limits/unread-bytes.js";
import { responseBacklogExceeded } from "./response-errors.js";

/** Limits that tests may change. */
export interface ShareLimits {
  /** Timeout for a client to read one piece, in milliseconds. */
  readonly stallMs?: number;
  /** Maximum wait for a slot, in milliseconds. */
  readonly waitMs?: number;
}

/** Memory and slots for responses, shared by all listeners of a process. */
export class ResponseShares {
  readonly stallMs: number;
  readonly slots: FairSlots;
  readonly #waitMs: number;
  readonly #unread = new UnreadBytes({ total: MAX_ALL_UNREAD_BYTES, each: MAX_UNREAD_BYTES });
  readonly #unreadByUnauthenticated = new UnreadBytes({
    total: MAX_ALL_UNAUTHENTICATED_UNREAD_BYTES,
    each: MAX_UNAUTHENTICATED_UNREAD_BYTES,
  });
  readonly #places = new Budget({ total: MAX_ALL_SLOTS });

  constructor({ stallMs = MAX_STALL_MS, waitMs = MAX_WAIT_MS }: ShareLimits = {}) {
    this.stallMs = stallMs;
    this.#waitMs = waitMs;
    const waiting = { total: MAX_ALL_WAITING, each: MAX_WAITING };
    this.slots = new FairSlots((budgetKey) => this.#tryBegin(budgetKey), waiting);
  }

  /**
   * Waits until a caller may use a slot.
   *
   * @returns a function that frees the slot.
   * @throws ApiError `RESPONSE_BACKLOG_EXCEEDED` if the caller's unread responses have used up its memory; NoSlotError
   * if no slot becomes free in time; the abort reason of `signal`.
   */
  async waitForSlot(budgetKey: string, signal: AbortSignal): Promise<Release> {
    try {
      return await this.slots.take(budgetKey, signal, this.#waitMs);
    } catch (error) {
      const isUnread = !this.#unread.hasRoom(budgetKey, MAX_EXPECTED_RESPONSE_BYTES);
      throw isUnread && error instanceof WaitTimeoutError ? responseBacklogExceeded(error) : error;
    }
  }

  /** Counts a caller's unread bytes. @returns `undefined` if a limit would be exceeded. */
  hold(budgetKey: string, bytes: Uint8Array): Release | undefined {
    const release = this.#unread.hold(budgetKey, bytes);
    if (release === undefined) return undefined;
    return () => {
      release();
      this.slots.next();
    };
  }

  /** Counts an unauthenticated client's unread bytes. @returns `undefined` if a limit would be exceeded. */
  holdForUnauthenticated(network: string, bytes: Uint8Array): Release | undefined {
    return this.#unreadByUnauthenticated.hold(network, bytes);
  }

  /** Reserves a slot, and memory for its response. */
  #tryBegin(budgetKey: string): Release | undefined {
    const leavePlace = this.#places.take(budgetKey);
    if (leavePlace === undefined) return undefined;
    const freeRoom = this.#unread.reserve(budgetKey, MAX_EXPECTED_RESPONSE_BYTES);
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

/** The memory and slot that one call uses. */
export class CallShare {
  readonly #shares: ResponseShares;
  /** Returns the remote network, which identifies unauthenticated callers. */
  readonly networkOf: () => string;
  /** Remaining time for which the call may wait for its slot and in other queues. */
  readonly waits = new WaitAllowance();
  #releaseSlot: Release | undefined;
  /** The caller's budget key. Undefined until the call is authorized. */
  budgetKey: string | undefined;

  constructor(shares: ResponseShares, networkOf: () => string) {
    this.#shares = shares;
    this.networkOf = networkOf;
  }

  /** Timeout for the client to read one piece, in milliseconds. */
  get stallMs(): number {
    return this.#shares.stallMs;
  }

  /**
   * Waits for a slot for expensive work. A call has at most one slot, and keeps it until its response counts as unread.
   * Calls without authorization need no slot, because they share cached responses.
   *
   * @throws the same errors as {@link ResponseShares.waitForSlot}.
   */
  async waitForSlot(signal: AbortSignal): Promise<void> {
    if (this.#releaseSlot !== undefined || this.budgetKey === undefined) return;
    this.#releaseSlot = await this.#shares.waitForSlot(this.budgetKey, this.waits.cover(signal));
  }

  /**
   * Counts a response as unread until the client has read it. If the caller has too many unread bytes, a response that
   * is cached for several calls waits. A response for only this call is dropped: waiting ones would use unlimited
   * memory.
   *
   * @throws ApiError `RESPONSE_BACKLOG_EXCEEDED`, and the errors of {@link waitForSlot}.
   */
  holdResponse(response: Uint8Array, makeSignal: () => AbortSignal): Release | Promise<Release> {
    const isShared = this.#releaseSlot === undefined;
    const release = this.hold(response);
    if (release !== undefined) return release;
    if (!isShared || this.budgetKey === undefined) throw responseBacklogExceeded();
    return this.waitForSlot(makeSignal()).then(
      () => this.hold(response) ?? Promise.reject(responseBacklogExceeded()),
    );
  }

  /**
   * Frees the slot, and counts bytes until the client has read them.
   *
   * @returns `undefined` if the caller has too many unread bytes.
   */
  hold(bytes: Uint8Array): Release | undefined {
    this.end();
    if (bytes.length <= MAX_UNCOUNTED_RESPONSE_BYTES) return nothing;
    return this.budgetKey === undefined
      ? this.#shares.holdForUnauthenticated(this.networkOf(), bytes)
      : this.#shares.hold(this.budgetKey, bytes);
  }

  /** Frees the slot, if the call has one. Must be called at the end of every call. */
  end(): void {
    this.#releaseSlot?.();
    this.#releaseSlot = undefined;
  }
}
