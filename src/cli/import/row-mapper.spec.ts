import { describe, expect, it } from "vitest";
import { eventMapSchema } from "./event-map.js";
import { FORMATS } from "./formats.js";
import type { SourceError } from "./row.js";
import { type Apps, type Mapped, parseApp, RowMapper } from "./row-mapper.js";

type Cells = Readonly<Record<string, unknown>>;

/** A row's event, the reason to drop it, or its problem. */
function outcome(mapper: RowMapper, cells: Cells): unknown {
  let mapped: Mapped;
  try {
    mapped = mapper.map({ line: 7, cells });
  } catch (error) {
    const { line, message } = error as SourceError;
    return `line ${line}: ${message}`;
  }
  return "event" in mapped ? mapped.event : `dropped: ${mapped.dropped}`;
}

describe("--format fcm-bigquery", () => {
  const row = {
    event_timestamp: "2025-06-02 16:00:01.200000 UTC",
    message_id: "0:17",
    instance_id: "cX2m",
    message_type: "DISPLAY_NOTIFICATION",
    sdk_platform: "ANDROID",
    app_name: "com.example.shop",
    event: "MESSAGE_ACCEPTED",
    analytics_label: "summer",
  };
  const event = {
    appId: "com.example.shop",
    messageId: "0:17 cX2m",
    eventTime: "2025-06-02T16:00:01.200000Z",
    eventType: "ACCEPTED",
    analyticsLabel: "summer",
    notification: true,
    usageReportingOptIn: true,
  };
  const delivered = {
    appId: event.appId,
    messageId: event.messageId,
    eventTime: event.eventTime,
    eventType: "DELIVERED",
  };
  const { analyticsLabel: _, ...unlabelled } = event;
  const mapper = new RowMapper(FORMATS["fcm-bigquery"].map);

  it.each<[string, Cells, unknown]>([
    ["an acceptance", {}, event],
    ["a delivery", { event: "MESSAGE_DELIVERED" }, delivered],
    ["a data message", { message_type: "DATA_MESSAGE" }, { ...event, notification: false }],
    ["no label, as CSV", { analytics_label: "" }, unlabelled],
    ["no label, as JSON", { analytics_label: null }, unlabelled],
    ["no instance", { instance_id: undefined }, { ...event, messageId: "0:17" }],
    ["a platform in lower case", { sdk_platform: "android" }, event],
    ["a time without zone", { event_timestamp: "2025-06-02 16:00:01.200000" }, event],
    ["another platform", { sdk_platform: "IOS" }, "dropped: sdk_platform IOS"],
    ["no platform", { sdk_platform: null }, "dropped: sdk_platform empty"],
    ["a send to a topic", { message_type: "TOPIC" }, "dropped: message_type TOPIC"],
    ["no message id", { message_id: "" }, "dropped: message_id empty"],
    ["a rejection", { event: "MISSING_REGISTRATIONS" }, "dropped: event MISSING_REGISTRATIONS"],
    ["an unknown event", { event: "RESOURCE_EXCEEDED" }, "dropped: event RESOURCE_EXCEEDED"],
    ["no app", { app_name: null }, "line 7: app_name is empty; set --app ID for such rows"],
    ["no time", { event_timestamp: null }, "line 7: event_timestamp is missing or empty"],
    [
      "an invalid time",
      { event_timestamp: "noon" },
      "line 7: event_timestamp is not an ISO 8601 time with an offset: noon",
    ],
    [
      "a day that does not exist",
      { event_timestamp: "2025-02-30" },
      "line 7: event_timestamp is not an ISO 8601 time with an offset: 2025-02-30",
    ],
    ...["2025-02-30 16:00:01 UTC", "2025-06-02 24:00:00 UTC", "2025-06-02T23:59:60Z"].map(
      (event_timestamp): [string, Cells, string] => [
        `the time ${event_timestamp}`,
        { event_timestamp },
        `line 7: event_timestamp has a day, hour, minute, second or offset out of range: ${event_timestamp}`,
      ],
    ),
    ["an object", { app_name: { a: 1 } }, "line 7: app_name must be a string, a number or a boolean"],
    [
      "an id that JSON numbers cannot hold",
      { instance_id: 2 ** 60 },
      "line 7: instance_id is too large for a JSON number; write it as a string",
    ],
  ])("maps a row: %s", (_name, cells, expected) => {
    expect(outcome(mapper, { ...row, ...cells })).toEqual(expected);
  });

  it("uses the app ids of --app, by app name and for rows without an app", () => {
    const named = new RowMapper(
      FORMATS["fcm-bigquery"].map,
      ["com.example.shop=1:1:android:a", "1:1:android:b"].reduce<ReturnType<typeof parseApp> | undefined>(
        (apps, given) => parseApp(given, apps),
        undefined,
      ),
    );
    expect(outcome(named, row)).toEqual({ ...event, appId: "1:1:android:a" });
    expect(outcome(named, { ...row, app_name: "other" })).toEqual({ ...event, appId: "other" });
    expect(outcome(named, { ...row, app_name: null })).toEqual({ ...event, appId: "1:1:android:b" });
  });
});

describe("--format autopush", () => {
  const mapper = new RowMapper(FORMATS.autopush.map, parseApp("firefox"));
  const event = { appId: "firefox", messageId: "5b0c", eventTime: "2025-06-02T16:00:01.123Z" };
  const acceptance = { ...event, eventType: "ACCEPTED", notification: false, usageReportingOptIn: true };

  it.each<[string, unknown]>([
    ["received", acceptance],
    ["stored", { ...event, eventType: "STORED" }],
    ["delivered", { ...event, eventType: "DELIVERED" }],
    ["expired", { ...event, eventType: "DROPPED_TTL_EXPIRED" }],
    ["retrieved", "dropped: state retrieved"],
    ["int_transmitted", "dropped: state int_transmitted"],
    ["int_accepted", "dropped: state int_accepted"],
    ["transmitted", "dropped: state transmitted"],
    ["accepted", "dropped: state accepted"],
    ["bridge_transmitted", "dropped: state bridge_transmitted"],
    ["decryption_error", "dropped: state decryption_error"],
    ["not_delivered", "dropped: state not_delivered"],
    ["errored", "dropped: state errored"],
    ["teleported", "dropped: state teleported"],
  ])("maps the state %s to an event", (state, expected) => {
    expect(outcome(mapper, { reliability_id: "5b0c", state, timestamp: 1748880001123 })).toEqual(expected);
  });
});

it("--format autopush rejects times in seconds", () => {
  const mapper = new RowMapper(FORMATS.autopush.map, parseApp("firefox"));
  expect(outcome(mapper, { reliability_id: "5b0c", state: "received", timestamp: 1748880000 })).toBe(
    "line 7: timestamp must be in milliseconds since 1970, and seems to be in seconds: 1748880000",
  );
});

describe("--map", () => {
  const map = {
    appId: { value: "app" },
    messageId: { columns: ["id"] },
    eventTime: { column: "at", format: "seconds" },
    eventType: { column: "outcome" },
    usageReportingOptIn: { value: true },
  };
  const cells = { id: 1, at: 0, outcome: "ACCEPTED", kind: "Alert" };
  const event = {
    appId: "app",
    messageId: "1",
    eventTime: "1970-01-01T00:00:00.000Z",
    eventType: "ACCEPTED",
  };
  const acceptance = { ...event, notification: false, usageReportingOptIn: true };
  const kinds = { column: "kind", values: { alert: true, silent: false } };

  it.each<[string, object, Cells, unknown]>([
    ["types by their own names", {}, {}, acceptance],
    ["any type", {}, { outcome: "COLLAPSED" }, { ...event, eventType: "COLLAPSED" }],
    ["no type", {}, { outcome: "" }, "line 7: outcome is missing or empty"],
    [
      "types by other names",
      { eventType: { column: "outcome", values: { 200: "DELIVERED" } } },
      { outcome: 200 },
      { ...event, eventType: "DELIVERED" },
    ],
    [
      "values that the map lacks",
      { eventType: { column: "outcome", values: { ok: "DELIVERED" } } },
      { outcome: "gone\u001b" },
      "line 7: outcome has a value that is not in the map: gone\\u001b",
    ],
    [
      "values to drop",
      { eventType: { column: "outcome", values: { ok: "DELIVERED", opened: "drop" } } },
      { outcome: "opened" },
      "dropped: outcome opened",
    ],
    ["a constant label", { analyticsLabel: { value: "x" } }, {}, { ...acceptance, analyticsLabel: "x" }],
    ["flags by other names", { notification: kinds }, {}, { ...acceptance, notification: true }],
    ["an absent flag", { notification: kinds }, { kind: null }, acceptance],
    [
      "an unknown flag",
      { notification: kinds },
      { kind: "loud" },
      "line 7: kind has a value that is not in the map: loud",
    ],
    [
      "other flags",
      { notification: { ...kinds, others: true } },
      { kind: "x" },
      { ...acceptance, notification: true },
    ],
    [
      "a boolean",
      { notification: { column: "kind" } },
      { kind: true },
      { ...acceptance, notification: true },
    ],
    ["no id", {}, { id: null }, "line 7: id is missing or empty"],
    [
      "ids of several columns, each in its place",
      { messageId: { columns: ["id", "a", "b", "c"] } },
      { b: "x" },
      { ...acceptance, messageId: "1  x" },
    ],
    ["rows to leave out", { except: { kind: ["alert"] } }, {}, "dropped: kind Alert"],
    ["rows to keep", { only: { kind: ["", "alert"] } }, { kind: null }, acceptance],
    [
      "a time in another unit",
      {},
      { at: 1748880001123456 },
      "line 7: at is not a number of seconds since 1970: 1748880001123456",
    ],
    ["inherited names", {}, { id: undefined, __proto__: { id: 1 } }, "line 7: id is missing or empty"],
  ])("maps rows: %s", (_name, keys, more, expected) => {
    const mapper = new RowMapper(eventMapSchema.parse({ ...map, ...keys }));
    expect(outcome(mapper, { ...cells, ...more })).toEqual(expected);
  });
});

it.each<[flags: readonly string[], unnamed: string | undefined, named: Readonly<Record<string, string>>]>([
  [["1:2:android:3"], "1:2:android:3", {}],
  [["a", "b"], "b", {}],
  [["a=1", "b=2=3", "c"], "c", { a: "1", b: "2=3" }],
])("--app accepts an id or a name with an id: %j", (flags, unnamed, named) => {
  const apps = flags.reduce<Apps | undefined>((before, value) => parseApp(value, before), undefined);
  expect([apps?.unnamed, Object.fromEntries(apps?.named ?? [])]).toEqual([unnamed, named]);
});

it.each(["", "a=", "=a"])("--app rejects the value %j", (given) => {
  expect(() => parseApp(given)).toThrow("It must be ID, or NAME=ID.");
});
