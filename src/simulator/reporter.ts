import { EventType, eventTypes } from "./event-types.js";
import type { GroundTruth } from "./ground-truth.js";
import { EventTimeFormat } from "./los-angeles-time.js";
import type { Message } from "./message-source.js";
import type { Random } from "./random.js";

/** Fraction of lines that occur twice, because the feed delivers each line at least once. */
const REPEATED = 0.004;

/** Minimum size of a chunk except the last, in characters. */
const CHUNK = 65_536;

/** Collects lines of the event file until they are read. */
export class EventFeed {
  readonly #random: Random;
  readonly #time = new EventTimeFormat();
  /** Text after the time in a line without details, by event type. */
  readonly #endings = Object.values(EventType)
    .filter((type) => typeof type === "number")
    .map((type) => `","eventType":"${EventType[type]}"`);
  #lines = "";
  #repeats = "";

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Adds an event, which may be repeated.
   *
   * @param offset UTC offset of the written time, in minutes.
   * @param details further fields, as JSON that begins with a comma.
   */
  write(message: Message, type: EventType, at: number, offset: number, details: string): void {
    const line = `${message.linePrefix}${this.#time.format(at, offset)}${this.#endings[type]}${details}}\n`;
    this.#lines += line;
    if (this.#random.chance(REPEATED)) this.#repeats += line;
  }

  /** True if there are enough lines to {@link take}. */
  get isFull(): boolean {
    return this.#lines.length >= CHUNK;
  }

  /** Removes and returns the collected lines, followed by the repeated ones. */
  take(): string {
    const chunk = this.#lines + this.#repeats;
    this.#lines = "";
    this.#repeats = "";
    return chunk;
  }
}

/** Reports events to the public feed and to the private ground truth. */
export class Reporter {
  readonly #feed: EventFeed;
  readonly #truth: GroundTruth;
  readonly #labels: readonly string[];
  readonly #end: number;

  /** @param end end of reporting, exclusive, in milliseconds since the epoch. */
  constructor(feed: EventFeed, truth: GroundTruth, labels: readonly string[], end: number) {
    this.#feed = feed;
    this.#truth = truth;
    this.#labels = labels;
    this.#end = end;
  }

  /**
   * Reports an event. If necessary, its time is moved after the message's previous event, because no two events of a
   * message have the same time.
   *
   * @param clock UTC offset of the event's written time, in minutes.
   */
  report(message: Message, type: EventType, at: number, clock: number): void {
    const time = Math.max(at, message.lastReportAt + 1);
    message.lastReportAt = time;
    message.reported |= eventTypes(type);
    if (time >= this.#end) return;
    const details = type === EventType.ACCEPTED ? this.#details(message) : "";
    this.#feed.write(message, type, time, clock, details);
    if (time >= message.dayEnd) return;
    this.#truth.observe(message, type);
    message.reportedThatDay |= eventTypes(type);
  }

  #details(message: Message): string {
    const label = message.label === 0 ? "" : `,"analyticsLabel":"${this.#labels[message.label]}"`;
    const notification = message.notification ? `,"notification":true` : "";
    const optIn = message.optedIn ? `,"usageReportingOptIn":true` : "";
    return label + notification + optIn;
  }
}
