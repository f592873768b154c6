import type { Faults } from "./faults.js";
import type { Message } from "./message.js";
import type { Random } from "./random.js";
import { WeightedChoice } from "./weighted-choice.js";

const HOUR = 3_600_000;

/** Times to live, in milliseconds. Four weeks is the maximum; 0 means deliver now or never. */
const TIMES_TO_LIVE = [0, 10 * 60_000, HOUR, 24 * HOUR, 28 * 24 * HOUR];
const TIME_TO_LIVE_WEIGHTS = [4, 4, 10, 22, 60];

/** Most collapse keys with messages waiting for an app instance. */
export const COLLAPSE_KEYS = 4;

/** Time and target of a message. */
export type Acceptance = Pick<Message, "app" | "day" | "dayEnd" | "acceptedAt" | "optedIn">;

/** Generates messages. */
export class MessageSource {
  readonly #random: Random;
  readonly #linePrefixes: readonly string[];
  readonly #labels: WeightedChoice;
  readonly #faults: Faults;
  readonly #timesToLive = new WeightedChoice(TIME_TO_LIVE_WEIGHTS);
  #count = 0;

  /** @param labelWeights Relative frequency of each label; the first is the empty label. */
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
    const timeToLive = TIMES_TO_LIVE[this.#timesToLive.next(random)] ?? 0;
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
    // Without a fault, no number is drawn: the same seed goes on to give the same traffic.
    return part < 1 && !this.#random.chance(part);
  }
}
