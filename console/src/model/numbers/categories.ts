import { type CountName, type Counts, percentOf } from "./counts.js";

/** The count that a group's percentages refer to. */
export type Denominator = "countMessagesAccepted" | "countNotificationsAccepted";

/** A category of messages or notifications. */
export interface Category {
  readonly name: CountName;
  readonly title: string;
  /** One sentence about what it counts (specification 2.6 to 2.9). */
  readonly meaning: string;
  /** CSS variable of its color. */
  readonly color: `--${string}`;
}

/** The categories of one group of the delivery data. */
export interface CategoryGroup {
  readonly title: string;
  readonly denominator: Denominator;
  /** The denominator, in words. */
  readonly of: string;
  /** True if a message is in at most one category, which makes the unaccounted messages computable. */
  readonly exclusive: boolean;
  readonly categories: readonly Category[];
}

const OF_MESSAGES = "of accepted messages";
const OF_NOTIFICATIONS = "of accepted notifications";

/** Specification 2.6. */
export const OUTCOMES: CategoryGroup = {
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
      meaning:
        "The device was disconnected, and the message was neither delivered nor dropped by the end of the day.",
      color: "--pending",
    },
    {
      name: "collapsed",
      title: "Collapsed",
      meaning: "A later message with the same collapse key took its place.",
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
      meaning: "The device has not been seen for so long that it counts as inactive.",
      color: "--dropped-inactive",
    },
    {
      name: "droppedTtlExpired",
      title: "Dropped: expired",
      meaning: "The time to live ended before the device connected.",
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
  title: "Delivery performance",
  denominator: "countMessagesAccepted",
  of: OF_MESSAGES,
  exclusive: false,
  categories: [
    {
      name: "deliveredNoDelay",
      title: "Delivered without delay",
      meaning: "The message was delivered, and nothing held it up.",
      color: "--delivered",
    },
    {
      name: "delayedDeviceOffline",
      title: "Delayed: device offline",
      meaning: "Delivered once the device connected; it was not connected when the message was sent.",
      color: "--delayed-offline",
    },
    {
      name: "delayedDeviceDoze",
      title: "Delayed: doze",
      meaning:
        "Delivered late because the device was dozing, which should happen only to messages of normal priority.",
      color: "--delayed-doze",
    },
    {
      name: "delayedMessageThrottled",
      title: "Delayed: throttled",
      meaning:
        "Delivered late because too many messages, or too many of one collapse key, were sent to the device.",
      color: "--delayed-throttled",
    },
    {
      name: "delayedUserStopped",
      title: "Delayed: profile stopped",
      meaning: "Delivered once the user profile that has the app was started again.",
      color: "--delayed-stopped",
    },
  ],
};

/** Specification 2.8. */
export const INSIGHTS: CategoryGroup = {
  title: "Insights",
  denominator: "countMessagesAccepted",
  of: OF_MESSAGES,
  exclusive: false,
  categories: [
    {
      name: "priorityLowered",
      title: "Priority lowered",
      meaning: "The message was sent with high priority and treated as one of normal priority.",
      color: "--priority-lowered",
    },
  ],
};

/** Specification 2.9. */
export const PROXY_RESULTS: CategoryGroup = {
  title: "Proxied notifications",
  denominator: "countNotificationsAccepted",
  of: OF_NOTIFICATIONS,
  exclusive: true,
  categories: [
    {
      name: "proxied",
      title: "Proxied",
      meaning: "The platform services of the device showed the notification for the app.",
      color: "--delivered",
    },
    {
      name: "failed",
      title: "Failed",
      meaning:
        "Showing it for the app failed, mostly by an exception of the platform's notifyAsPackage call.",
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
      meaning: "The message was not throttled, so there was no need.",
      color: "--pending",
    },
    {
      name: "skippedUnconfigured",
      title: "Skipped: not configured",
      meaning: "Configuration that proxying needs was missing.",
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

/** Every group, in the order of the specification. */
export const CATEGORY_GROUPS: readonly CategoryGroup[] = [OUTCOMES, PERFORMANCE, INSIGHTS, PROXY_RESULTS];

/** Messages in no category of an exclusive group. */
export const UNACCOUNTED = {
  title: "Unaccounted for",
  meaning: "No event says what became of them.",
  color: "--unaccounted",
} as const;

/** The share of a category in percent; undefined if the denominator is 0. */
export const shareOf = (counts: Counts, group: CategoryGroup, name: CountName): number | undefined =>
  percentOf(counts[name] ?? 0, counts[group.denominator] ?? 0);

/** Counts the messages or notifications in no category of an exclusive group. */
export function unaccountedOf(counts: Counts, { denominator, categories }: CategoryGroup): number {
  const accounted = categories.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0);
  return (counts[denominator] ?? 0) - accounted;
}
