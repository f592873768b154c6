import { create } from "@bufbuild/protobuf";
import {
  type AndroidDeliveryData,
  AndroidDeliveryDataSchema,
  type Data,
  DataSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { at } from "../model/collections.js";
import {
  DELAYS,
  DISCONNECTED,
  EVENT_TYPE_NUMBERS,
  EventKind,
  EventType,
  eventTypes,
  figuresOf,
  OUTCOMES,
  PROXY_RESULTS,
} from "./event-types.js";
import type { LosAngelesDay } from "./los-angeles-time.js";
import type { Message } from "./message-source.js";

/** Indices of counts that have no event type; other counts are indexed by event type. */
const NOTIFICATIONS = 0;
const PENDING = EVENT_TYPE_NUMBERS;
const DELIVERED_NO_DELAY = EVENT_TYPE_NUMBERS + 1;
const WIDTH = EVENT_TYPE_NUMBERS + 2;

/** Counts for an app, day and label, by event type. A delay counts if the message was delivered that day. */
export type Counts = Float64Array;

/**
 * Records the actual outcomes of the counted messages, by app, day of acceptance and label. It is updated while messages
 * change state, without looking up events. Events after the day of acceptance have no effect.
 */
export class GroundTruth {
  /** One table for each app and day, with a row for each label. */
  readonly #tables = new Map<number, Float64Array>();
  readonly #days: number;
  readonly #labels: number;

  /** @param labels number of labels, including the empty one. */
  constructor(days: number, labels: number) {
    this.#days = days;
    this.#labels = labels;
  }

  /** Returns counts by app, day and label; all are 0 unless a message was accepted. */
  counts(app: number, day: number, label: number): Counts {
    const table = this.#tables.get(app * this.#days + day) ?? new Float64Array(this.#labels * WIDTH);
    this.#tables.set(app * this.#days + day, table);
    return table.subarray(label * WIDTH, (label + 1) * WIDTH);
  }

  /** Records a message's event on the day when the message was accepted. */
  observe(message: Message, type: EventType): void {
    if (!message.optedIn) return;
    const counts = this.counts(message.app, message.day, message.label);
    const before = message.reportedThatDay;
    const settled = (before & OUTCOMES) !== 0;
    const pending = !settled && (before & DISCONNECTED) !== 0;
    const is = eventTypes(type);
    if (is & OUTCOMES) {
      if (settled) return;
      add(counts, type, 1);
      if (pending) add(counts, PENDING, -1);
      if (type === EventType.DELIVERED) countDelays(counts, before);
    } else if (is & DISCONNECTED) {
      if (!settled && !pending) add(counts, PENDING, 1);
    } else if (is & PROXY_RESULTS) {
      if (message.notification && !(before & PROXY_RESULTS)) add(counts, type, 1);
    } else if (type === EventType.ACCEPTED) {
      add(counts, type, 1);
      if (message.notification) add(counts, NOTIFICATIONS, 1);
    } else if (type === EventType.PRIORITY_LOWERED) {
      add(counts, type, 1);
    }
  }
}

/** Counts a delivered message's delays. No delay can follow the delivery. */
function countDelays(counts: Counts, reported: number): void {
  const delays = DELAYS.filter((delay) => reported & eventTypes(delay));
  for (const delay of delays) add(counts, delay, 1);
  if (delays.length === 0) add(counts, DELIVERED_NO_DELAY, 1);
}

function add(counts: Counts, index: number, amount: number): void {
  counts[index] = at(counts, index) + amount;
}

/**
 * Yields entries by app. Entries of each app are in list order: newest day first, then by label. Apps and labels are
 * sorted by bytes.
 */
export function* expectedEntries(
  truth: GroundTruth,
  apps: readonly string[],
  days: readonly LosAngelesDay[],
  labels: readonly string[],
): Generator<AndroidDeliveryData> {
  const labelOrder = orderByBytes(labels);
  for (const [app, appId] of orderByBytes(apps)) {
    for (const [day, { year, month, day: dayOfMonth }] of [...days.entries()].reverse()) {
      for (const [label, analyticsLabel] of labelOrder) {
        const counts = truth.counts(app, day, label);
        if (!counts[EventType.ACCEPTED]) continue;
        const date = { year, month, day: dayOfMonth };
        yield create(AndroidDeliveryDataSchema, { appId, date, analyticsLabel, data: figures(counts) });
      }
    }
  }
}

function figures(counts: Counts): Data {
  const accepted = at(counts, EventType.ACCEPTED);
  const notifications = at(counts, NOTIFICATIONS);
  const percent = (index: number, denominator = accepted) => (100 * at(counts, index)) / denominator;
  const percents = (kind: EventKind, denominator = accepted): Record<string, number> =>
    Object.fromEntries(figuresOf(kind).map(({ type, figure }) => [figure, percent(type, denominator)]));
  return create(DataSchema, {
    countMessagesAccepted: BigInt(accepted),
    countNotificationsAccepted: BigInt(notifications),
    messageOutcomePercents: { ...percents(EventKind.OUTCOME), pending: percent(PENDING) },
    deliveryPerformancePercents: {
      ...percents(EventKind.DELAY),
      deliveredNoDelay: percent(DELIVERED_NO_DELAY),
    },
    messageInsightPercents: percents(EventKind.PRIORITY),
    ...(notifications > 0 && {
      proxyNotificationInsightPercents: percents(EventKind.PROXY_RESULT, notifications),
    }),
  });
}

function orderByBytes(names: readonly string[]): [number, string][] {
  return [...names.entries()].sort(([, a], [, b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
