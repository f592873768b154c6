import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { entriesOf, entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { test } from "../support/servers/fixtures.js";

/** Short form of an event: message, time on 2025-03-09 UTC or a complete instant, type, and other fields. */
type Event = readonly [message: string, time: string, type: string, more?: object];
/** An app's entry data by `date label`. */
type Entries = Readonly<Record<string, object>>;

const OPT_IN = { usageReportingOptIn: true };
const NOTIFICATION = { ...OPT_IN, notification: true };
const labelled = (analyticsLabel: string, more: object = OPT_IN) => ({ ...more, analyticsLabel });
const groups = (outcomes: object, performance: object = {}, insight: object = {}) => ({
  messageOutcomePercents: outcomes,
  deliveryPerformancePercents: performance,
  messageInsightPercents: insight,
});
/** Data of one accepted message with some outcome percentages. */
const one = (outcomes: object) => ({ countMessagesAccepted: "1", ...groups(outcomes) });
const ACCEPTED: Event = ["m", "12:00:00.000Z", "ACCEPTED", OPT_IN];
const A_NOTIFICATION: Event = ["m", "12:00:00.000Z", "ACCEPTED", NOTIFICATION];
const DELIVERED: Event = ["m", "12:00:01.000Z", "DELIVERED"];
const DAY = "2025-03-09 ";

/** An app for each rule. The app id names the rule, and the expected figures were computed by hand. */
const CASES: Readonly<Record<string, readonly [events: readonly Event[], entries: Entries]>> = {
  // The day with the change to daylight saving time has 23 hours: 08:00Z to 07:00Z.
  "day-edges": [
    [
      ["a", "2025-03-09T07:59:59.999Z", "ACCEPTED", OPT_IN],
      ["b", "2025-03-09T00:00:00-08:00", "ACCEPTED", OPT_IN],
      ["c", "2025-03-10T06:59:59.999999Z", "ACCEPTED", OPT_IN],
      ["d", "2025-03-10T12:30:00+05:30", "ACCEPTED", OPT_IN],
    ],
    {
      "2025-03-10 ": { countMessagesAccepted: "1", ...groups({}) },
      "2025-03-09 ": { countMessagesAccepted: "2", ...groups({}) },
      "2025-03-08 ": { countMessagesAccepted: "1", ...groups({}) },
    },
  ],
  "days-do-not-meet": [
    [ACCEPTED, ["m", "12:01:00.000Z", "STORED"], ["m", "2025-03-10T12:00:00Z", "DELIVERED"]],
    { [DAY]: one({ pending: 100 }) },
  ],
  "an-orphan-does-not-count": [[DELIVERED, ["m", "13:00:00.000Z", "PROXY_FAILED"]], {}],
  "the-earliest-accepted-gives-the-label": [
    [
      ["m", "12:00:00.001Z", "ACCEPTED", labelled("a")],
      ["m", "12:00:00.000Z", "ACCEPTED", labelled("z")],
    ],
    { [`${DAY}z`]: { countMessagesAccepted: "1", ...groups({}) } },
  ],
  "of-one-instant-the-smaller-label-by-bytes": [
    [
      ["m", "12:00:00.000Z", "ACCEPTED", labelled("a")],
      ["m", "12:00:00.000Z", "ACCEPTED", labelled("Z")],
    ],
    { [`${DAY}Z`]: { countMessagesAccepted: "1", ...groups({}) } },
  ],
  "then-no-notification": [
    [["m", "12:00:00.000Z", "ACCEPTED", NOTIFICATION], ACCEPTED],
    { [DAY]: { countMessagesAccepted: "1", ...groups({}) } },
  ],
  "the-earliest-outcome": [
    [ACCEPTED, ["m", "12:00:02.000Z", "DELIVERED"], ["m", "12:00:01.000Z", "COLLAPSED"]],
    { [DAY]: one({ collapsed: 100 }) },
  ],
  "of-one-instant-the-outcome-listed-first": [
    [
      ACCEPTED,
      ["m", "12:00:01.000Z", "DROPPED_TTL_EXPIRED"],
      ["m", "12:00:01.000Z", "DROPPED_DEVICE_INACTIVE"],
    ],
    { [DAY]: one({ droppedDeviceInactive: 100 }) },
  ],
  "pending-by-a-delay-offline": [
    [ACCEPTED, ["m", "12:00:01.000Z", "DELAYED_DEVICE_OFFLINE"]],
    { [DAY]: one({ pending: 100 }) },
  ],
  "not-pending-by-doze": [[ACCEPTED, ["m", "12:00:01.000Z", "DELAYED_DEVICE_DOZE"]], { [DAY]: one({}) }],
  "each-delay-once-whenever-it-was": [
    [
      ["m", "11:00:00.000Z", "DELAYED_USER_STOPPED"],
      ACCEPTED,
      DELIVERED,
      ["m", "12:00:02.000Z", "DELAYED_DEVICE_DOZE"],
      ["m", "12:00:03.000Z", "DELAYED_DEVICE_DOZE"],
    ],
    {
      [DAY]: {
        countMessagesAccepted: "1",
        ...groups({ delivered: 100 }, { delayedDeviceDoze: 100, delayedUserStopped: 100 }),
      },
    },
  ],
  "proxy-is-of-notifications": [
    [ACCEPTED, ["m", "12:00:01.000Z", "PROXY_PROXIED"]],
    { [DAY]: { countMessagesAccepted: "1", ...groups({}) } },
  ],
  "the-earliest-proxy-result-then-the-one-listed-first": [
    [
      A_NOTIFICATION,
      ["m", "12:00:02.000Z", "PROXY_PROXIED"],
      ["m", "12:00:01.000Z", "PROXY_SKIPPED_OPTED_OUT"],
      ["m", "12:00:01.000Z", "PROXY_SKIPPED_UNSUPPORTED"],
    ],
    {
      [DAY]: {
        countMessagesAccepted: "1",
        countNotificationsAccepted: "1",
        ...groups({}),
        proxyNotificationInsightPercents: { skippedUnsupported: 100 },
      },
    },
  ],
  // Seven messages with a label, two of them notifications, and one message without a label.
  "shares-of-a-label": [
    [
      ["1", "12:00:00.000Z", "ACCEPTED", labelled("x", NOTIFICATION)],
      ["1", "12:00:01.000Z", "DELIVERED"],
      ["1", "12:00:01.000Z", "PROXY_PROXIED"],
      ["2", "12:00:00.000Z", "ACCEPTED", labelled("x", NOTIFICATION)],
      ["2", "12:00:01.000Z", "PRIORITY_LOWERED"],
      ["2", "12:00:01.000Z", "DELAYED_MESSAGE_THROTTLED"],
      ["2", "12:00:01.000Z", "DELIVERED"],
      ["3", "12:00:00.000Z", "ACCEPTED", labelled("x")],
      ["3", "12:00:01.000Z", "DROPPED_TOO_MANY_PENDING_MESSAGES"],
      ["4", "12:00:00.000Z", "ACCEPTED", labelled("x")],
      ["4", "12:00:01.000Z", "DROPPED_APP_FORCE_STOPPED"],
      ["5", "12:00:00.000Z", "ACCEPTED", labelled("x")],
      ["5", "12:00:01.000Z", "DROPPED_TTL_EXPIRED"],
      ["6", "12:00:00.000Z", "ACCEPTED", labelled("x")],
      ["7", "12:00:00.000Z", "ACCEPTED", labelled("x")],
      ["8", "12:00:00.000Z", "ACCEPTED", OPT_IN],
      ["9", "12:00:00.000Z", "ACCEPTED", labelled("x", {})],
    ],
    {
      [DAY]: { countMessagesAccepted: "1", ...groups({}) },
      [`${DAY}x`]: {
        countMessagesAccepted: "7",
        countNotificationsAccepted: "2",
        ...groups(
          {
            delivered: 200 / 7,
            droppedTooManyPendingMessages: 100 / 7,
            droppedAppForceStopped: 100 / 7,
            droppedTtlExpired: 100 / 7,
          },
          { deliveredNoDelay: 100 / 7, delayedMessageThrottled: 100 / 7 },
          { priorityLowered: 100 / 7 },
        ),
        proxyNotificationInsightPercents: { proxied: 50 },
      },
    },
  ],
};

const toJson = (appId: string, [messageId, time, eventType, more]: Event): object => ({
  appId,
  messageId,
  eventTime: time.includes("T") ? time : `2025-03-09T${time}`,
  eventType,
  ...more,
});

const toEntries = (appId: string, entries: Entries): unknown[] =>
  Object.entries(entries).map(([name, data]) => {
    const [date = "", analyticsLabel] = name.split(" ");
    const [year, month, day] = date.split("-").map(Number);
    return { appId, date: { year, month, day }, ...(analyticsLabel && { analyticsLabel }), data };
  });

test.beforeAll(async ({ server, editor }) => {
  const events = Object.entries(CASES).flatMap(([appId, [history]]) =>
    history.map((event) => toJson(appId, event)),
  );
  await postEvents(server, editor, ndjson(events));
  // Listed once the whole day is rolled up, which also shows which cases have no entry.
  await postEvents(server, editor, ndjson([toJson("last", ACCEPTED)]));
  await entriesOnceThey(server, editor, "last", ({ length }) => length === 1);
});

test.for(Object.entries(CASES))(
  "the rollup follows the rule %s",
  async ([appId, [, entries]], { server, editor }) => {
    const expected = toEntries(appId, entries);
    const listed = await entriesOnceThey(server, editor, appId, (found) =>
      isDeepStrictEqual(found, expected),
    );
    expect(listed).toEqual(expected);
    expect(await entriesOf(server, editor, appId, 1)).toEqual(expected);
  },
);
