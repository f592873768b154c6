import { EventType, eventTypes } from "./event-types.js";
import type { Message } from "./message-source.js";
import type { Random } from "./random.js";

export interface ProxyResult {
  readonly type: EventType;
  /** Time since the delivery, in milliseconds. */
  readonly delay: number;
}

/** Events that delay a message and thereby allow its notification to be proxied. */
const HELD_BACK = eventTypes(
  EventType.DELAYED_DEVICE_DOZE,
  EventType.DELAYED_MESSAGE_THROTTLED,
  EventType.PRIORITY_LOWERED,
);

/** The device's platform services that show notifications on behalf of an app instance. */
export class ProxyNotifications {
  readonly #random: Random;
  /** True if the platform services are recent enough to report on proxying. */
  readonly #reports: boolean;
  readonly #supported: boolean;
  readonly #configured: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#reports = random.chance(0.6);
    this.#supported = random.chance(0.85);
    this.#configured = random.chance(0.9);
  }

  /**
   * Returns the proxy results of a delivered message in order of time: none, one, or a failure and a success.
   */
  resultsOf(message: Message): ProxyResult[] {
    if (!message.notification || !this.#reports) return [];
    const type = this.#firstResult(message);
    const first = { type, delay: this.#random.wait(50) };
    const retried = type === EventType.PROXY_FAILED && this.#random.chance(0.5);
    return retried ? [first, { type: EventType.PROXY_PROXIED, delay: 5_000 }] : [first];
  }

  #firstResult(message: Message): EventType {
    if (!this.#supported) return EventType.PROXY_SKIPPED_UNSUPPORTED;
    if (!this.#configured) return EventType.PROXY_SKIPPED_UNCONFIGURED;
    if (this.#random.chance(0.06)) return EventType.PROXY_SKIPPED_OPTED_OUT;
    if (!(message.reported & HELD_BACK)) return EventType.PROXY_SKIPPED_NOT_THROTTLED;
    return this.#random.chance(0.1) ? EventType.PROXY_FAILED : EventType.PROXY_PROXIED;
  }
}
