import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { EventTimeFormat } from "./event-time.js";
import type { Message } from "./message.js";
import type { Random } from "./random.js";

/** The share of lines that the feed brings twice, since it promises to bring each at least once. */
const REPEATED = 0.004;

/** How many characters a chunk has at least, except the last. */
const CHUNK = 65_536;

/** The lines of the event file as they pile up until they are taken. */
export class EventFeed {
  readonly #random: Random;
  readonly #time = new EventTimeFormat();
  /** What follows the time in a line of an event with nothing but a type. */
  readonly #endings = Object.values(EventType)
    .filter((type) => typeof type === "number")
    .map((type) => `","eventType":"${EventType[type]}"`);
  #lines = "";
  #repeats = "";

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * @param offset minutes from UTC of the clock that the time is written by
   * @param details further fields, as JSON that begins with a comma
   */
  write(message: Message, type: EventType, at: number, offset: number, details: string): void {
    const line = `${message.linePrefix}${this.#time.format(at, offset)}${this.#endings[type]}${details}}\n`;
    this.#lines += line;
    if (this.#random.chance(REPEATED)) this.#repeats += line;
  }

  /** Whether there is enough to {@link take}. */
  get full(): boolean {
    return this.#lines.length >= CHUNK;
  }

  /** All lines since the last time, the repeated ones at the end. */
  take(): string {
    const chunk = this.#lines + this.#repeats;
    this.#lines = "";
    this.#repeats = "";
    return chunk;
  }
}
