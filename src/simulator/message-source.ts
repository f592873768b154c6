import { at } from "../model/collections.js";
import type { EventTypes } from "./event-types.js";
import type { Faults } from "./faults.js";
import { longTail, type Random, WeightedChoice } from "./random.js";

/** A message to an app instance, and its state from acceptance to outcome. */
export interface Message {
  /** Start of each line about the message, with its app and id. */
  readonly linePrefix: string;
  /** Index of the app. */
  readonly app: number;
  /** Index of the Los Angeles day of acceptance. */
  readonly day: number;
  /** First instant after that day, in milliseconds since the epoch. */
  readonly dayEnd: number;
  /** Index of the label; 0 means no label. */
  readonly label: number;
  readonly notification: boolean;
  /** True if the device shares usage and diagnostics. */
  readonly optedIn: boolean;
  readonly acceptedAt: number;
  /** End of its time to live. If equal to {@link acceptedAt}, the message is delivered now or never. */
  readonly expiresAt: number;
  /** 0 if it has no key, so that no later message replaces it. */
  readonly collapseKey: number;
  /** True if a simulated outage prevents its delivery. */
  readonly isLost: boolean;
  /** True for high priority, false for normal priority. */
  highPriority: boolean;
  /** Types of its events so far. */
  reported: EventTypes;
  /** Types of its events before {@link dayEnd}. */
  reportedThatDay: EventTypes;
  lastReportAt: number;
}

const HOUR = 3_600_000;

/** Times to live, in milliseconds. The maximum is four weeks. 0 means that the message is delivered now or never. */
const TIMES_TO_LIVE = [0, 10 * 60_000, HOUR, 24 * HOUR, 28 * 24 * HOUR];
const TIME_TO_LIVE_WEIGHTS = [4, 4, 10, 22, 60];

/** Maximum number of collapse keys with messages waiting for an app instance. */
export const COLLAPSE_KEYS = 4;

/** Time and target of a message. */
export type Acceptance = Pick<Message, "app" | "day" | "dayEnd" | "acceptedAt" | "optedIn">;

export class MessageSource {
  readonly #random: Random;
  readonly #linePrefixes: readonly string[];
  readonly #labels: WeightedChoice;
  readonly #faults: Faults;
  readonly #timesToLive = new WeightedChoice(TIME_TO_LIVE_WEIGHTS);
  #count = 0;

  /** @param labelWeights relative frequency of each label; the first is the empty label. */
  constructor(apps: readonly string[], labelWeights: readonly number[], faults: Faults, random: Random) {
    this.#random = random;
    this.#faults = faults;
    this.#linePrefixes = apps.map((appId) => `{"appId":${JSON.stringify(appId)},"messageId":"0:`);
    this.#labels = new WeightedChoice(labelWeights);
  }

  next(acceptance: Acceptance): Message {
    const { app, day, dayEnd, acceptedAt, optedIn } = acceptance;
    const random = this.#random;
    const number = (this.#count++).toString(16).padStart(8, "0");
    const timeToLive = at(TIMES_TO_LIVE, this.#timesToLive.next(random));
    const label = this.#labels.next(random);
    return {
      linePrefix: `${this.#linePrefixes[app]}${acceptedAt}%${number}","eventTime":"`,
      app,
      day,
      dayEnd,
      optedIn,
      acceptedAt,
      expiresAt: acceptedAt + timeToLive,
      label,
      notification: random.chance(0.55),
      collapseKey: random.chance(0.18) ? 1 + random.below(COLLAPSE_KEYS) : 0,
      highPriority: random.chance(0.35),
      reported: 0,
      reportedThatDay: 0,
      lastReportAt: 0,
      isLost: this.#isLost(day, label),
    };
  }

  #isLost(day: number, label: number): boolean {
    const part = this.#faults.deliveredPart(day, label);
    // Without an outage, draws no random number, so that the same seed still produces the same traffic.
    return part < 1 && !this.#random.chance(part);
  }
}

/** Share of messages without a label. */
const UNLABELLED = 0.2;

/** Campaign names that cover every kind of character in labels. */
const CAMPAIGNS = [
  "order_status",
  "promo",
  "Weekly-Digest",
  "chat",
  "news.v2",
  "100%off",
  "re~engage",
  "7day",
];

/** Returns the empty label, which means no label, followed by `count` labels. */
export function labelNames(count: number): string[] {
  const names = Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / CAMPAIGNS.length);
    const campaign = at(CAMPAIGNS, index % CAMPAIGNS.length);
    return round === 0 ? campaign : `${campaign}-${round}`;
  });
  return ["", ...names];
}

/** Returns the relative frequency of each of the {@link labelNames}: a few are frequent, most are rare. */
export function labelWeights(count: number): number[] {
  const tail = longTail(count, 1.1);
  const labelled = tail.reduce((sum, weight) => sum + weight, 0);
  return [count === 0 ? 1 : (labelled * UNLABELLED) / (1 - UNLABELLED), ...tail];
}
