import { create } from "@bufbuild/protobuf";
import {
  type AndroidDeliveryData,
  AndroidDeliveryDataSchema,
  type Data,
  DataSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { EventKind, EventType, figuresOf } from "./event-types.js";
import { type Counts, DELIVERED_NO_DELAY, type GroundTruth, NOTIFICATIONS, PENDING } from "./ground-truth.js";
import type { LosAngelesDay } from "./los-angeles-days.js";

/**
 * Yields entries by app, each app's in listing order: newest day first, then by label. Apps and labels are
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
  const accepted = counts[EventType.ACCEPTED] ?? 0;
  const notifications = counts[NOTIFICATIONS] ?? 0;
  const percent = (index: number, denominator = accepted) => (100 * (counts[index] ?? 0)) / denominator;
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
