/**
 * A second implementation of the rollup, as simple and slow as its rules allow. Tests compare the real one with it.
 * They share no code: no types, no day arithmetic, no event order.
 */

/** A line of a project's event file. */
export interface NaiveEvent {
  readonly appId: string;
  readonly messageId: string;
  /** RFC 3339, with any offset. */
  readonly eventTime: string;
  readonly eventType: string;
  readonly analyticsLabel?: string;
  readonly notification?: boolean;
  readonly usageReportingOptIn?: boolean;
}

/** Delivery data of an app, day and label. */
export interface NaiveEntry {
  readonly appId: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Empty for messages without a label. */
  readonly analyticsLabel: string;
  readonly countMessagesAccepted: number;
  readonly countNotificationsAccepted: number;
  /** Number of messages behind each percentage, by group and name. Includes zeros. */
  readonly counts: NaiveGroups;
  /** Percentages by group and name. Includes zeros, but no groups with a denominator of 0. */
  readonly percents: NaiveGroups;
}

type NaiveGroups = Readonly<Record<string, Readonly<Record<string, number>>>>;

const OUTCOMES = {
  DELIVERED: "delivered",
  COLLAPSED: "collapsed",
  DROPPED_TOO_MANY_PENDING_MESSAGES: "droppedTooManyPendingMessages",
  DROPPED_APP_FORCE_STOPPED: "droppedAppForceStopped",
  DROPPED_DEVICE_INACTIVE: "droppedDeviceInactive",
  DROPPED_TTL_EXPIRED: "droppedTtlExpired",
};

const DELAYS = {
  DELAYED_DEVICE_OFFLINE: "delayedDeviceOffline",
  DELAYED_DEVICE_DOZE: "delayedDeviceDoze",
  DELAYED_MESSAGE_THROTTLED: "delayedMessageThrottled",
  DELAYED_USER_STOPPED: "delayedUserStopped",
};

const PROXY_RESULTS = {
  PROXY_PROXIED: "proxied",
  PROXY_FAILED: "failed",
  PROXY_SKIPPED_UNSUPPORTED: "skippedUnsupported",
  PROXY_SKIPPED_NOT_THROTTLED: "skippedNotThrottled",
  PROXY_SKIPPED_UNCONFIGURED: "skippedUnconfigured",
  PROXY_SKIPPED_OPTED_OUT: "skippedOptedOut",
};

/** Computes entries for a set of events, sorted by app, date (newest first) and label. Strings are in byte order. */
export function naiveRollup(events: readonly NaiveEvent[]): NaiveEntry[] {
  const stored = events.filter((event) => event.eventType !== "ACCEPTED" || event.usageReportingOptIn);
  const messages = groupBy(stored, (event) => JSON.stringify([event.appId, dayOf(event), event.messageId]));
  const counted = messages.flatMap((message) => summarize(message));
  const entries = groupBy(counted, ({ appId, date, label }) => JSON.stringify([appId, date, label]));
  return entries.map(toEntry).sort(inListedOrder);
}

/** Converts an entry to ProtoJSON as in a list response, without default values. */
export function naiveJson(entry: NaiveEntry): Record<string, unknown> {
  const [year, month, day] = entry.date.split("-").map(Number);
  const groups = Object.entries(entry.percents).map(([name, percents]) => [name, withoutDefaults(percents)]);
  return {
    appId: entry.appId,
    date: { year, month, day },
    ...withoutDefaults({ analyticsLabel: entry.analyticsLabel }),
    data: {
      countMessagesAccepted: String(entry.countMessagesAccepted),
      ...(entry.countNotificationsAccepted > 0 && {
        countNotificationsAccepted: String(entry.countNotificationsAccepted),
      }),
      ...Object.fromEntries(groups),
    },
  };
}

/** Outcome of an accepted message on one day. */
interface MessageSummary {
  readonly appId: string;
  readonly date: string;
  readonly label: string;
  readonly notification: boolean;
  /** Name of a percentage in the outcome group. `undefined` if the message has no outcome. */
  readonly outcome: string | undefined;
  readonly performance: readonly string[];
  readonly priorityLowered: boolean;
  readonly proxyResult: string | undefined;
}

/** Summarizes all events of one message on one day. Returns `undefined` if it was not accepted. */
function summarize(events: readonly NaiveEvent[]): MessageSummary[] {
  const accepted = events
    .filter((event) => event.eventType === "ACCEPTED")
    .sort(
      (a, b) =>
        instantOf(a) - instantOf(b) ||
        byBytes(labelOf(a), labelOf(b)) ||
        Number(a.notification ?? false) - Number(b.notification ?? false),
    )[0];
  if (accepted === undefined) return [];
  const happened = (type: string) => events.some((event) => event.eventType === type);
  const disconnected = happened("STORED") || happened("DELAYED_DEVICE_OFFLINE");
  const outcome = earliest(events, OUTCOMES) ?? (disconnected ? "pending" : undefined);
  const delays = Object.entries(DELAYS).flatMap(([type, name]) => (happened(type) ? [name] : []));
  const notification = accepted.notification ?? false;
  return [
    {
      appId: accepted.appId,
      date: dayOf(accepted),
      label: labelOf(accepted),
      notification,
      outcome,
      performance: outcome !== "delivered" ? [] : delays.length > 0 ? delays : ["deliveredNoDelay"],
      priorityLowered: happened("PRIORITY_LOWERED"),
      proxyResult: notification ? earliest(events, PROXY_RESULTS) : undefined,
    },
  ];
}

/** Returns the name for the earliest event of these types. Among simultaneous events, the first in `types` wins. */
function earliest(
  events: readonly NaiveEvent[],
  types: Readonly<Record<string, string>>,
): string | undefined {
  const order = Object.keys(types);
  const [first] = events
    .filter((event) => order.includes(event.eventType))
    .sort((a, b) => instantOf(a) - instantOf(b) || order.indexOf(a.eventType) - order.indexOf(b.eventType));
  return first && types[first.eventType];
}

function toEntry(messages: readonly [MessageSummary, ...MessageSummary[]]): NaiveEntry {
  const [{ appId, date, label }] = messages;
  const tally = (of: (message: MessageSummary) => boolean): number => messages.filter(of).length;
  return naiveEntry(appId, date, label, (name) => {
    if (name === "countMessagesAccepted") return messages.length;
    if (name === "countNotificationsAccepted") return tally(({ notification }) => notification);
    if (name === "priorityLowered") return tally(({ priorityLowered }) => priorityLowered);
    return tally(
      ({ outcome, performance, proxyResult }) =>
        outcome === name || performance.includes(name) || proxyResult === name,
    );
  });
}

/** Creates an entry with counts by name. */
export function naiveEntry(
  appId: string,
  date: string,
  analyticsLabel: string,
  countOf: (name: string) => number,
): NaiveEntry {
  const accepted = countOf("countMessagesAccepted");
  const notifications = countOf("countNotificationsAccepted");
  const groupOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, countOf(name)]));
  const counts = {
    messageOutcomePercents: groupOf(["pending", ...Object.values(OUTCOMES)]),
    deliveryPerformancePercents: groupOf(["deliveredNoDelay", ...Object.values(DELAYS)]),
    messageInsightPercents: groupOf(["priorityLowered"]),
    proxyNotificationInsightPercents: groupOf(Object.values(PROXY_RESULTS)),
  };
  return {
    appId,
    date,
    analyticsLabel,
    countMessagesAccepted: accepted,
    countNotificationsAccepted: notifications,
    counts,
    percents: {
      messageOutcomePercents: percentsOf(counts.messageOutcomePercents, accepted),
      deliveryPerformancePercents: percentsOf(counts.deliveryPerformancePercents, accepted),
      messageInsightPercents: percentsOf(counts.messageInsightPercents, accepted),
      ...(notifications > 0 && {
        proxyNotificationInsightPercents: percentsOf(counts.proxyNotificationInsightPercents, notifications),
      }),
    },
  };
}

function percentsOf(counts: Readonly<Record<string, number>>, denominator: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, (100 * count) / denominator]),
  );
}

function inListedOrder(a: NaiveEntry, b: NaiveEntry): number {
  return byBytes(a.appId, b.appId) || byBytes(b.date, a.date) || byBytes(a.analyticsLabel, b.analyticsLabel);
}

const losAngeles = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/Los_Angeles",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** Returns the America/Los_Angeles date of an event, `YYYY-MM-DD`. */
function dayOf(event: NaiveEvent): string {
  return losAngeles.format(instantOf(event));
}

/** Returns milliseconds since the Unix epoch, truncated. */
function instantOf(event: NaiveEvent): number {
  return Date.parse(event.eventTime);
}

function labelOf(event: NaiveEvent): string {
  return event.analyticsLabel ?? "";
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

function withoutDefaults<T extends string | number>(fields: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "" && value !== 0));
}
