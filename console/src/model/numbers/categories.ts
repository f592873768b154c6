import type { DataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { type CountName, type Counts, countIn, percentOf } from "./counts.js";

/** The denominator of percentages in a group. */
export type Denominator = "countMessagesAccepted" | "countNotificationsAccepted";

/** A category of messages or notifications. */
export interface Category {
  readonly name: CountName;
  readonly title: string;
  /** Explanation, in one sentence (specification 2.6 to 2.9). */
  readonly meaning: string;
  /** CSS variable for the color. */
  readonly color: `--${string}`;
}

type PercentField = Extract<keyof DataJson, `${string}Percents`>;

/** A group of categories in delivery data. */
export interface CategoryGroup {
  /** The field of `Data` with the percentages. */
  readonly field: PercentField;
  readonly title: string;
  readonly denominator: Denominator;
  /** The denominator, in words. */
  readonly of: string;
  /** True if a message is in at most one category, so that the remainder is unaccounted for. */
  readonly exclusive: boolean;
  readonly categories: readonly Category[];
}

const OF_MESSAGES = "of accepted messages";
const OF_NOTIFICATIONS = "of accepted notifications";

/** Specification 2.6. */
export const OUTCOMES: CategoryGroup = {
  field: "messageOutcomePercents",
  title: "Outcomes",
  denominator: "countMessagesAccepted",
  of: OF_MESSAGES,
  exclusive: true,
  categories: [
    {
      name: "delivered",
      title: "Delivered",
      meaning: "The message reached the device.",
      color: "--delivered",
    },
    {
      name: "pending",
      title: "Pending",
      meaning: "The device was disconnected, and the message was neither delivered nor dropped on that day.",
      color: "--pending",
    },
    {
      name: "collapsed",
      title: "Collapsed",
      meaning: "A later message with the same collapse key replaced it.",
      color: "--collapsed",
    },
    {
      name: "droppedTooManyPendingMessages",
      title: "Dropped: too many pending",
      meaning:
        "More than 100 messages were waiting for the app on a disconnected device, so all of them were dropped.",
      color: "--dropped-too-many",
    },
    {
      name: "droppedAppForceStopped",
      title: "Dropped: app force stopped",
      meaning: "The app was force stopped on the device, and retries failed.",
      color: "--dropped-force-stopped",
    },
    {
      name: "droppedDeviceInactive",
      title: "Dropped: device inactive",
      meaning: "The device has been inactive for too long.",
      color: "--dropped-inactive",
    },
    {
      name: "droppedTtlExpired",
      title: "Dropped: expired",
      meaning: "The message's time to live ended before the device connected.",
      color: "--dropped-expired",
    },
  ],
};

/** The outcomes of dropped messages. */
export const DROPS: readonly Category[] = OUTCOMES.categories.filter(({ name }) =>
  name.startsWith("dropped"),
);

/** Specification 2.7. */
export const PERFORMANCE: CategoryGroup = {
  field: "deliveryPerformancePercents",
  title: "Delivery performance",
  denominator: "countMessagesAccepted",
  of: OF_MESSAGES,
  exclusive: false,
  categories: [
    {
      name: "deliveredNoDelay",
      title: "Delivered without delay",
      meaning: "The message was delivered immediately.",
      color: "--delivered",
    },
    {
      name: "delayedDeviceOffline",
      title: "Delayed: device offline",
      meaning: "Delivered later because the device was offline when the message was sent.",
      color: "--delayed-offline",
    },
    {
      name: "delayedDeviceDoze",
      title: "Delayed: doze",
      meaning:
        "Delivered later because the device was in Doze mode. This should only affect normal-priority messages.",
      color: "--delayed-doze",
    },
    {
      name: "delayedMessageThrottled",
      title: "Delayed: throttled",
      meaning:
        "Delivered later because the device received too many messages, or too many with one collapse key.",
      color: "--delayed-throttled",
    },
    {
      name: "delayedUserStopped",
      title: "Delayed: profile stopped",
      meaning: "Delivered later because the user profile with the app was stopped.",
      color: "--delayed-stopped",
    },
  ],
};

/** Specification 2.8. */
export const INSIGHTS: CategoryGroup = {
  field: "messageInsightPercents",
  title: "Insights",
  denominator: "countMessagesAccepted",
  of: OF_MESSAGES,
  exclusive: false,
  categories: [
    {
      name: "priorityLowered",
      title: "Priority lowered",
      meaning: "The message was sent with high priority but handled with normal priority.",
      color: "--priority-lowered",
    },
  ],
};

/** Specification 2.9. */
export const PROXY_RESULTS: CategoryGroup = {
  field: "proxyNotificationInsightPercents",
  title: "Proxied notifications",
  denominator: "countNotificationsAccepted",
  of: OF_NOTIFICATIONS,
  exclusive: true,
  categories: [
    {
      name: "proxied",
      title: "Proxied",
      meaning: "The device's platform services showed the notification for the app.",
      color: "--delivered",
    },
    {
      name: "failed",
      title: "Failed",
      meaning:
        "The platform services could not show it, usually because the notifyAsPackage call threw an exception.",
      color: "--dropped-force-stopped",
    },
    {
      name: "skippedUnsupported",
      title: "Skipped: unsupported",
      meaning: "The recipient does not support proxied notifications.",
      color: "--dropped-inactive",
    },
    {
      name: "skippedNotThrottled",
      title: "Skipped: not throttled",
      meaning: "The message was not throttled, so no proxy was needed.",
      color: "--pending",
    },
    {
      name: "skippedUnconfigured",
      title: "Skipped: not configured",
      meaning: "The proxy configuration was incomplete.",
      color: "--dropped-too-many",
    },
    {
      name: "skippedOptedOut",
      title: "Skipped: opted out",
      meaning: "The app disallowed proxying of its messages.",
      color: "--collapsed",
    },
  ],
};

/** All groups, in specification order. */
export const CATEGORY_GROUPS: readonly CategoryGroup[] = [OUTCOMES, PERFORMANCE, INSIGHTS, PROXY_RESULTS];

/** Messages in none of an exclusive group's categories. */
export const UNACCOUNTED = {
  title: "Unaccounted for",
  meaning: "No event reports an outcome.",
  color: "--unaccounted",
} as const;

/** Returns a category's share in percent. Returns undefined if the denominator is 0. */
export const shareOf = (counts: Counts, group: CategoryGroup, name: CountName): number | undefined =>
  percentOf(countIn(counts, name), countIn(counts, group.denominator));

/** Counts messages or notifications in none of an exclusive group's categories. */
export function unaccountedOf(counts: Counts, { denominator, categories }: CategoryGroup): number {
  const accounted = categories.reduce((sum, { name }) => sum + countIn(counts, name), 0);
  return countIn(counts, denominator) - accounted;
}
