import { Budget, type Release } from "../../limits/budget.js";
import { FairSlots } from "../../limits/fair-slots.js";
import {
  MAX_INTROSPECTIONS,
  MAX_WAITING_INTROSPECTIONS,
  MAX_WAITING_INTROSPECTIONS_OF_CALLER,
} from "../../limits/request-limits.js";
import type { Clock } from "../../model/clock.js";
import { TokenBucket } from "../rate-limiter.js";

const WAITING = { total: MAX_WAITING_INTROSPECTIONS, each: MAX_WAITING_INTROSPECTIONS_OF_CALLER };

/** Sender of a token: the principal that an issuer has recently reported for it, or else the remote network. */
export type TokenSender = { readonly principal: string } | { readonly network: string };

/**
 * Slots for calls to one introspection endpoint. Known tokens have their own slots and no rate limit. They never wait
 * for calls about unknown tokens, which anybody can send.
 */
export class IntrospectionSlots {
  readonly #known: FairSlots;
  readonly #unknown: FairSlots;
  #refill: NodeJS.Timeout | undefined;

  /** @param perSecond maximum number of calls per second about unknown tokens. */
  constructor(perSecond: number, clock: Clock) {
    const ofKnown = new Budget({ total: MAX_INTROSPECTIONS });
    const ofUnknown = new Budget({ total: MAX_INTROSPECTIONS });
    const rate = new TokenBucket(perSecond, perSecond / 1_000, clock);
    this.#known = new FairSlots((principal) => ofKnown.take(principal), WAITING);
    this.#unknown = new FairSlots((network) => {
      if (!ofUnknown.hasRoom(network)) return undefined;
      const waitMs = rate.take();
      if (waitMs === 0) return ofUnknown.take(network);
      this.#refill ??= setTimeout(() => this.#next(), waitMs);
      return undefined;
    }, WAITING);
  }

  /**
   * Waits for a slot.
   *
   * @param maxMs maximum wait, in milliseconds.
   * @returns a function that frees the slot, to call when the introspection call has ended.
   * @throws NoSlotError if no slot becomes free in time.
   */
  take(sender: TokenSender, maxMs: number): Promise<Release> {
    return "principal" in sender
      ? this.#known.take(sender.principal, undefined, maxMs)
      : this.#unknown.take(sender.network, undefined, maxMs);
  }

  #next(): void {
    this.#refill = undefined;
    this.#unknown.next();
  }
}
