import type { EventFeed } from "./event-feed.js";
import { EventType, eventTypes } from "./event-types.js";
import type { GroundTruth } from "./ground-truth.js";
import type { Message } from "./message.js";

/** Reports events to the public feed and to the private ground truth. */
export class Reporter {
  readonly #feed: EventFeed;
  readonly #truth: GroundTruth;
  readonly #labels: readonly string[];
  readonly #end: number;

  /** @param end End of reporting, exclusive, in milliseconds since the epoch. */
  constructor(feed: EventFeed, truth: GroundTruth, labels: readonly string[], end: number) {
    this.#feed = feed;
    this.#truth = truth;
    this.#labels = labels;
    this.#end = end;
  }

  /**
   * Reports an event. Its time is moved after the message's previous event if necessary: no two events of a
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
