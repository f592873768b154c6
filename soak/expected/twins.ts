import type { Page } from "../callers/caller.js";
import type { Batch } from "./traffic.js";

/** Labels with messages that are always imported together. */
const LABELS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const TIME = "2025-06-02T12:00:00-07:00";
const LATER = "2025-06-02T12:00:01-07:00";

/**
 * An app that receives one message for each of several labels in each import, all on one day. Requests are
 * stored and days are published atomically: in every response, all labels have the same count.
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

  /** The next import. Send it until it succeeds and call {@link acknowledge}, before the next import. */
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

  /** Number of imports that an up-to-date list must show. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  get acknowledgedEvents(): number {
    return this.#acknowledged * LABELS.length * 2;
  }

  /**
   * Checks the only page of the list.
   * @returns the number of imports that it shows.
   * @throws Error if it shows an import partially, an import that was not sent, or fewer imports than before.
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
