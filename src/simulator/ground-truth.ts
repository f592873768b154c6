import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { DISCONNECTED, eventTypes, type Message, OUTCOMES, PROXY_RESULTS } from "./message.js";

const DELAYS = [
  EventType.DELAYED_DEVICE_OFFLINE,
  EventType.DELAYED_DEVICE_DOZE,
  EventType.DELAYED_MESSAGE_THROTTLED,
  EventType.DELAYED_USER_STOPPED,
];

/** Counts without an event type of their own; the other counts are told apart by the event type. */
export const NOTIFICATIONS = 0;
export const PENDING = 20;
export const DELIVERED_NO_DELAY = 21;
const WIDTH = 22;

/** The counts of one app, day and label, by event type. A delay counts if the message was delivered that day. */
export type Counts = Float64Array;

/**
 * What truly became of the messages that count, by the app, the day of acceptance and the label. It is kept as the
 * messages move on, so nothing is ever looked up in events: what happens on a later day changes nothing.
 */
export class GroundTruth {
  /** For each app and day with messages, one row for each label. */
  readonly #tables = new Map<number, Float64Array>();
  readonly #days: number;
  readonly #labels: number;

  /** @param labels how many there are, the empty one included */
  constructor(days: number, labels: number) {
    this.#days = days;
    this.#labels = labels;
  }

  /** The counts of one app, day and label, none of them above 0 unless a message was accepted. */
  counts(app: number, day: number, label: number): Counts {
    const table = this.#tables.get(app * this.#days + day) ?? new Float64Array(this.#labels * WIDTH);
    this.#tables.set(app * this.#days + day, table);
    return table.subarray(label * WIDTH, (label + 1) * WIDTH);
  }

  /** Takes in what happens to a message on the day of its acceptance. */
  observe(message: Message, type: EventType): void {
    if (!message.optedIn) return;
    const counts = this.counts(message.app, message.day, message.label);
    const before = message.reportedThatDay;
    const settled = (before & OUTCOMES) !== 0;
    const pending = !settled && (before & DISCONNECTED) !== 0;
    const kind = eventTypes(type);
    if (kind & OUTCOMES) {
      if (settled) return;
      add(counts, type, 1);
      if (pending) add(counts, PENDING, -1);
      if (type === EventType.DELIVERED) countDelays(counts, before);
    } else if (kind & DISCONNECTED) {
      if (!settled && !pending) add(counts, PENDING, 1);
    } else if (kind & PROXY_RESULTS) {
      if (message.notification && !(before & PROXY_RESULTS)) add(counts, type, 1);
    } else if (type === EventType.ACCEPTED) {
      add(counts, type, 1);
      if (message.notification) add(counts, NOTIFICATIONS, 1);
    } else if (type === EventType.PRIORITY_LOWERED) {
      add(counts, type, 1);
    }
  }
}

/** Nothing delays a message once it is delivered, so the delays so far are all there will be. */
function countDelays(counts: Counts, reported: number): void {
  const delays = DELAYS.filter((delay) => reported & eventTypes(delay));
  for (const delay of delays) add(counts, delay, 1);
  if (delays.length === 0) add(counts, DELIVERED_NO_DELAY, 1);
}

function add(counts: Counts, index: number, amount: number): void {
  counts[index] = (counts[index] ?? 0) + amount;
}
