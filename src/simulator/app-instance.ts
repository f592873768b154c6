import { at } from "../model/collections.js";
import { EventType, eventTypes } from "./event-types.js";
import type { Condition, Habit } from "./habits.js";
import type { Message } from "./message-source.js";
import { ProxyNotifications } from "./proxy-notifications.js";
import type { Random } from "./random.js";
import type { Reporter } from "./reporter.js";
import { WaitingMessages } from "./waiting-messages.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** UTC offsets of device clocks, in minutes. Frequent offsets are repeated. */
const CLOCKS = [...Array<number>(18).fill(0), -480, 330];

/** Delay event for each condition in which a message waits. */
const DELAYS: Partial<Record<Condition, EventType>> = {
  offline: EventType.DELAYED_DEVICE_OFFLINE,
  dozing: EventType.DELAYED_DEVICE_DOZE,
  userStopped: EventType.DELAYED_USER_STOPPED,
};

/** An app on a device, where messages arrive, wait and get lost. Its time advances only by its methods. */
export class AppInstance {
  /** True if the device shares usage and diagnostics. */
  readonly optedIn: boolean;
  readonly waiting = new WaitingMessages();
  readonly #random: Random;
  readonly #reporter: Reporter;
  readonly #proxy: ProxyNotifications;
  readonly #habit: Habit;
  readonly #clock: number;
  /** True if the app has exhausted its standby bucket, which lowers high priority. */
  readonly #restricted: boolean;
  /**
   * True if a delay is reported at the first failed attempt. Otherwise, the message is first reported as stored, and
   * its delay follows later.
   */
  readonly #reportsDelayAtOnce: boolean;
  /** Real platforms allow bursts of 20. A smaller burst makes sparse traffic reach the limit, too. */
  readonly #collapsibleRate = new Throttle(2, 3 * MINUTE);
  /** 240 messages a minute after a burst. */
  readonly #messageRate = new Throttle(40, SECOND / 4);
  #phase: number;
  #condition: Condition = "connected";
  /** End of the current condition, in milliseconds since the epoch. */
  #changesAt: number;
  /** Time at which throttled messages are retried, in milliseconds since the epoch. */
  #retriesAt = Number.POSITIVE_INFINITY;

  /** @param now start of the simulated time, in milliseconds since the epoch. */
  constructor(habit: Habit, now: number, random: Random, reporter: Reporter) {
    this.#habit = habit;
    this.#random = random;
    this.#reporter = reporter;
    this.#proxy = new ProxyNotifications(random);
    this.optedIn = random.chance(0.9);
    this.#clock = at(CLOCKS, random.below(CLOCKS.length));
    this.#restricted = random.chance(0.15);
    this.#reportsDelayAtOnce = random.chance(0.3);
    this.#phase = random.below(habit.phases.length);
    this.#changesAt = now;
  }

  /** Accepts a message at its {@link Message.acceptedAt}. */
  accept(message: Message): void {
    const now = message.acceptedAt;
    this.passTime(now);
    this.#report(message, EventType.ACCEPTED, now);
    if (this.#restricted && message.highPriority && this.#random.chance(0.6)) {
      message.highPriority = false;
      this.#report(message, EventType.PRIORITY_LOWERED, now);
    }
    const replaced = this.waiting.takeCollapsedBy(message);
    if (replaced) this.#report(replaced, EventType.COLLAPSED, now);
    this.#attempt(message, now);
  }

  /** Advances the time to `now`. */
  passTime(now: number): void {
    for (let next = this.#nextChange(); next <= now; next = this.#nextChange()) {
      for (const expired of this.waiting.takeExpired(next)) {
        this.#report(expired, EventType.DROPPED_TTL_EXPIRED, expired.expiresAt);
      }
      if (next === this.#changesAt) this.#changeCondition();
      if (next === this.#retriesAt) this.#retry(next);
    }
  }

  #nextChange(): number {
    return Math.min(this.#changesAt, this.waiting.nextExpiry, this.#retriesAt);
  }

  #changeCondition(): void {
    this.#phase = (this.#phase + 1) % this.#habit.phases.length;
    const { condition, mean } = this.#habit.phases[this.#phase] ?? this.#habit.phases[0];
    this.#condition = condition;
    this.#retriesAt = this.#changesAt;
    this.#changesAt += this.#random.wait(mean);
  }

  #retry(now: number): void {
    this.#retriesAt = Number.POSITIVE_INFINITY;
    for (const message of this.waiting.takeAll()) this.#attempt(message, now);
  }

  #attempt(message: Message, now: number): void {
    const delay = DELAYS[this.#condition];
    if (this.#condition === "inactive") {
      this.#report(message, EventType.DROPPED_DEVICE_INACTIVE, now);
    } else if (this.#condition === "forceStopped") {
      const retries = this.#random.wait(2 * MINUTE);
      this.#report(message, EventType.DROPPED_APP_FORCE_STOPPED, now + retries);
    } else if (delay !== undefined && !(this.#condition === "dozing" && message.highPriority)) {
      this.#hold(message, delay, now);
    } else {
      this.#send(message, now);
    }
  }

  #send(message: Message, now: number): void {
    const throttle = message.collapseKey === 0 ? this.#messageRate : this.#collapsibleRate;
    if (!throttle.admit(now)) {
      this.#retriesAt = Math.min(this.#retriesAt, throttle.freeAt);
      this.#hold(message, EventType.DELAYED_MESSAGE_THROTTLED, now);
      return;
    }
    const wasReported = (type: EventType) => (message.reported & eventTypes(type)) !== 0;
    if (wasReported(EventType.STORED)) this.#reportOnce(message, EventType.DELAYED_DEVICE_OFFLINE, now);
    const arrival = now + this.#random.wait(400);
    if (message.isLost) {
      this.#report(message, EventType.DROPPED_DEVICE_INACTIVE, arrival);
      return;
    }
    this.#report(message, EventType.DELIVERED, arrival);
    // Simulates a lost acknowledgement: the message is delivered twice.
    if (this.#random.chance(0.002)) this.#report(message, EventType.DELIVERED, arrival + 30 * SECOND);
    for (const { type, delay } of this.#proxy.resultsOf(message))
      this.#report(message, type, arrival + delay);
  }

  /** Keeps a message for later, unless it expires now. If too many messages are waiting, they are dropped. */
  #hold(message: Message, reason: EventType, now: number): void {
    if (message.expiresAt <= now) {
      this.#report(message, EventType.DROPPED_TTL_EXPIRED, now);
      return;
    }
    const stored = reason === EventType.DELAYED_DEVICE_OFFLINE && !this.#reportsDelayAtOnce;
    this.#reportOnce(message, stored ? EventType.STORED : reason, now);
    for (const dropped of this.waiting.add(message)) {
      this.#report(dropped, EventType.DROPPED_TOO_MANY_PENDING_MESSAGES, now);
    }
  }

  #reportOnce(message: Message, type: EventType, at: number): void {
    if (!(message.reported & eventTypes(type))) this.#report(message, type, at);
  }

  #report(message: Message, type: EventType, at: number): void {
    this.#reporter.report(message, type, at, this.#clock);
  }
}

/** Admits a burst of messages at once, then one per interval (generic cell rate algorithm). */
export class Throttle {
  readonly #burst: number;
  readonly #interval: number;
  /** Time at which a whole burst is available again, in milliseconds since the epoch. */
  #freeAt = Number.NEGATIVE_INFINITY;

  /** @param interval in milliseconds. */
  constructor(burst: number, interval: number) {
    this.#burst = burst;
    this.#interval = interval;
  }

  /** Time at which a whole burst is available again, in milliseconds since the epoch. */
  get freeAt(): number {
    return this.#freeAt;
  }

  /** Admits a message. @returns false if it is rejected. */
  admit(now: number): boolean {
    const freeAt = Math.max(this.#freeAt, now) + this.#interval;
    if (freeAt > now + this.#burst * this.#interval) return false;
    this.#freeAt = freeAt;
    return true;
  }
}
