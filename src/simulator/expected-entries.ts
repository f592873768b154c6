import { create } from "@bufbuild/protobuf";
import {
  type AndroidDeliveryData,
  AndroidDeliveryDataSchema,
  type Data,
  DataSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
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
  const ofAccepted = (count: number) => (100 * (counts[count] ?? 0)) / accepted;
  const ofNotifications = (count: number) => (100 * (counts[count] ?? 0)) / notifications;
  return create(DataSchema, {
    countMessagesAccepted: BigInt(accepted),
    countNotificationsAccepted: BigInt(notifications),
    messageOutcomePercents: {
      delivered: ofAccepted(EventType.DELIVERED),
      pending: ofAccepted(PENDING),
      collapsed: ofAccepted(EventType.COLLAPSED),
      droppedTooManyPendingMessages: ofAccepted(EventType.DROPPED_TOO_MANY_PENDING_MESSAGES),
      droppedAppForceStopped: ofAccepted(EventType.DROPPED_APP_FORCE_STOPPED),
      droppedDeviceInactive: ofAccepted(EventType.DROPPED_DEVICE_INACTIVE),
      droppedTtlExpired: ofAccepted(EventType.DROPPED_TTL_EXPIRED),
    },
    deliveryPerformancePercents: {
      deliveredNoDelay: ofAccepted(DELIVERED_NO_DELAY),
      delayedDeviceOffline: ofAccepted(EventType.DELAYED_DEVICE_OFFLINE),
      delayedDeviceDoze: ofAccepted(EventType.DELAYED_DEVICE_DOZE),
      delayedMessageThrottled: ofAccepted(EventType.DELAYED_MESSAGE_THROTTLED),
      delayedUserStopped: ofAccepted(EventType.DELAYED_USER_STOPPED),
    },
    messageInsightPercents: { priorityLowered: ofAccepted(EventType.PRIORITY_LOWERED) },
    ...(notifications > 0 && {
      proxyNotificationInsightPercents: {
        proxied: ofNotifications(EventType.PROXY_PROXIED),
        failed: ofNotifications(EventType.PROXY_FAILED),
        skippedUnsupported: ofNotifications(EventType.PROXY_SKIPPED_UNSUPPORTED),
        skippedNotThrottled: ofNotifications(EventType.PROXY_SKIPPED_NOT_THROTTLED),
        skippedUnconfigured: ofNotifications(EventType.PROXY_SKIPPED_UNCONFIGURED),
        skippedOptedOut: ofNotifications(EventType.PROXY_SKIPPED_OPTED_OUT),
      },
    }),
  });
}

function orderByBytes(names: readonly string[]): [number, string][] {
  return [...names.entries()].sort(([, a], [, b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
