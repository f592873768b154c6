import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { EventTimeFormat } from "./event-time.js";
import type { Message } from "./message.js";
import type { Random } from "./random.js";

/** Share of lines that occur twice: the feed delivers each line at least once. */
const REPEATED = 0.004;

/** Minimum size of a chunk except the last, in characters. */
const CHUNK = 65_536;

/** Collects the lines of the event file until they are taken. */
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
   * @param details Further fields, as JSON that begins with a comma.
   */
  write(message: Message, type: EventType, at: number, offset: number, details: string): void {
    const line = `${message.linePrefix}${this.#time.format(at, offset)}${this.#endings[type]}${details}}\n`;
    this.#lines += line;
    if (this.#random.chance(REPEATED)) this.#repeats += line;
  }

  /** True if there are enough lines to {@link take}. */
  get full(): boolean {
    return this.#lines.length >= CHUNK;
  }

  /** Returns the lines since the last call, followed by the repeated ones. */
  take(): string {
    const chunk = this.#lines + this.#repeats;
    this.#lines = "";
    this.#repeats = "";
    return chunk;
  }
}
