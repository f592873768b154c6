import type { Page } from "../callers/caller.js";
import type { Batch } from "./traffic.js";

/** Labels whose messages are always imported together. */
const LABELS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const TIME = "2025-06-02T12:00:00-07:00";
const LATER = "2025-06-02T12:00:01-07:00";

/**
 * An app that gets one message for each of several labels by each import, all on one day. A request is stored as a whole
 * and a day is published as a whole, so that in every answer all labels have the same count.
 */
export class Twins {
  readonly project: string;
  readonly app: string;
  #sent = 0;
  #acknowledged = 0;
  #listed = 0;

  constructor(project: string, app: string) {
    this.project = project;
    this.app = app;
  }

  /** The next import; to be sent until {@link acknowledge} can be called, before the next but one. */
  next(): Batch {
    this.#sent += 1;
    const events = LABELS.flatMap((analyticsLabel) => {
      const message = { appId: this.app, messageId: `${this.#sent}-${analyticsLabel}` };
      return [
        { ...message, eventTime: TIME, eventType: "ACCEPTED", analyticsLabel, usageReportingOptIn: true },
        { ...message, eventTime: LATER, eventType: "DELIVERED" },
      ];
    });
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    return { bytes: Buffer.from(text), lines: events.length };
  }

  acknowledge(): void {
    this.#acknowledged = this.#sent;
  }

  /** How many of the imports a list must show that is up to date. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  get acknowledgedEvents(): number {
    return this.#acknowledged * LABELS.length * 2;
  }

  /**
   * Looks at the only page of the list.
   *
   * @returns how many imports it shows.
   * @throws Error if it shows a part of an import, one that was not sent, or fewer than an answer before.
   */
  countIn(page: Page): number {
    const { androidDeliveryData = [] } = page;
    const counts = androidDeliveryData.map(({ data }) => Number(data?.countMessagesAccepted ?? 0));
    const [count = 0] = counts;
    const whole =
      counts.every((each) => each === count) &&
      androidDeliveryData.every(({ data }) => data?.messageOutcomePercents?.delivered === 100) &&
      [0, LABELS.length].includes(counts.length);
    if (!whole) throw new Error(`a part of an import is listed of ${this.app}: ${counts.join(", ")}`);
    if (count > this.#sent)
      throw new Error(`${count} imports are listed of ${this.app}: ${this.#sent} were sent`);
    if (count < this.#listed)
      throw new Error(`${count} imports are listed of ${this.app} after ${this.#listed}`);
    this.#listed = count;
    return count;
  }
}
