import { describe, expect, it, test } from "vitest";
import {
  MessageEvent_EventType as EventType,
  MessageEvent_EventTypeSchema as EventTypeSchema,
} from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { dayOfCivil } from "../../model/day.js";
import { type LineViolation, readEventLine } from "./event-line.js";
import { acceptedAt } from "./event-time.js";
import { ALL_DAYS } from "./testing/all-days.js";

const VALID = {
  appId: "app",
  messageId: "m",
  eventTime: "2026-03-05T12:00:00Z",
  eventType: "ACCEPTED",
  analyticsLabel: "sale",
  notification: true,
  usageReportingOptIn: true,
};
const EVENT = { ...VALID, eventTime: Date.UTC(2026, 2, 5, 12), eventType: EventType.ACCEPTED };

function read(line: string | Uint8Array, days = ALL_DAYS) {
  const violations: LineViolation[] = [];
  const event = readEventLine(Buffer.from(line), 17, days, violations);
  return { event, violations };
}
const withFields = (over: object): string => JSON.stringify({ ...VALID, ...over });

describe("an event line", () => {
  test.each([
    ["as written by JSON.stringify", JSON.stringify(VALID), {}],
    ["with keys in another order", JSON.stringify(Object.fromEntries(Object.entries(VALID).reverse())), {}],
    ["with all white space of JSON", ` ${JSON.stringify(VALID, null, "\t\r")} `, {}],
    [
      "with field names of the contract",
      '{"app_id":"app","message_id":"m","event_time":"2026-03-05T12:00:00Z","event_type":"ACCEPTED",' +
        '"analytics_label":"sale","notification":true,"usage_reporting_opt_in":true}',
      {},
    ],
    ["with escapes in keys and values", JSON.stringify(VALID).replaceAll("app", "\\u0061pp"), {}],
    [
      "with null for absent fields",
      withFields({ analyticsLabel: null, notification: null }),
      {
        analyticsLabel: "",
        notification: false,
      },
    ],
    ["with an empty label", withFields({ analyticsLabel: "" }), { analyticsLabel: "" }],
    [
      "with the longest label",
      withFields({ analyticsLabel: "aZ09-_.~%".repeat(6).slice(0, 50) }),
      {
        analyticsLabel: "aZ09-_.~%".repeat(6).slice(0, 50),
      },
    ],
    [
      "with an event type as a number",
      withFields({ eventType: 2 }),
      {
        eventType: EventType.DELIVERED,
        analyticsLabel: "",
        notification: false,
      },
    ],
    ["with three dots as app", withFields({ appId: "..." }), { appId: "..." }],
    [
      "with ids in any script",
      withFields({ appId: "прил.👩‍🚀", messageId: "消息/\u0000" }),
      {
        appId: "прил.👩‍🚀",
        messageId: "消息/\u0000",
      },
    ],
    [
      "with ids of 256 characters",
      withFields({ appId: "😀".repeat(256), messageId: "é".repeat(256) }),
      {
        appId: "😀".repeat(256),
        messageId: "é".repeat(256),
      },
    ],
    [
      "with an id that looks like a key",
      withFields({ messageId: 'a","appId": "b' }),
      {
        messageId: 'a","appId": "b',
      },
    ],
    [
      "with an id full of quotes and colons",
      withFields({ messageId: '\\":"\\\\":' }),
      {
        messageId: '\\":"\\\\":',
      },
    ],
    [
      "with the first possible instant",
      withFields({ eventTime: "0001-01-01T07:52:58Z" }),
      {
        eventTime: Date.parse("0001-01-01T07:52:58Z"),
      },
    ],
    [
      "with the last possible instant",
      withFields({ eventTime: "9999-12-31T23:59:59.999-08:00" }),
      {
        eventTime: Date.parse("+010000-01-01T07:59:59.999Z"),
      },
    ],
  ])("is valid %s", (_, line, over) => {
    expect(read(line)).toEqual({ event: { ...EVENT, ...over }, violations: [] });
  });

  it("needs only the required fields", () => {
    const { appId, messageId, eventTime, eventType } = VALID;
    expect(read(JSON.stringify({ appId, messageId, eventTime, eventType })).event).toEqual({
      ...EVENT,
      analyticsLabel: "",
      notification: false,
      usageReportingOptIn: false,
    });
  });

  test.each(EventTypeSchema.values.slice(1))("may have the type $name", ({ name, number }) => {
    expect(read(withFields({ eventType: name })).event?.eventType).toBe(number);
  });

  it("has a label and a notification only in an ACCEPTED event", () => {
    expect(read(withFields({ eventType: "DELIVERED" })).event).toMatchObject({
      analyticsLabel: "",
      notification: false,
    });
  });
});

const LABEL = "must have 1 to 50 of the characters a-z, A-Z, 0-9, -, _, ., ~ and %";
const TIME = 'must be an RFC 3339 timestamp with an offset, such as "2026-03-08T09:30:00.250Z"';
const YEARS = "must fall on a day from 0001-01-01 to 9999-12-31 in America/Los_Angeles";
const NOT_JSON = "is not JSON: each line is one event as a JSON object";
const NO_OBJECT = "is not a JSON object: each line is one event";
const SURROGATE = "must be valid Unicode: it has half of a surrogate pair";
const NO_PATH = 'must not be "-", "." or "..", which have a special meaning in paths';
const SLASH = "must have neither a slash nor control characters";

describe("an invalid event line", () => {
  test.each([
    ["not JSON", "event", NOT_JSON],
    ["cut short", JSON.stringify(VALID).slice(0, -1), NOT_JSON],
    ["two events", JSON.stringify(VALID).repeat(2), NOT_JSON],
    ["a comma at the end", '{"appId":"a",}', NOT_JSON],
    ["a byte order mark", `\ufeff${JSON.stringify(VALID)}`, NOT_JSON],
    ["NaN", withFields({}).replace("true", "NaN"), NOT_JSON],
    ["an array", `[${JSON.stringify(VALID)}]`, NO_OBJECT],
    ["null", "null", NO_OBJECT],
    ["a string", '"ACCEPTED"', NO_OBJECT],
    ["a number", "17", NO_OBJECT],
    ["not UTF-8", Buffer.from(withFields({ messageId: "é" }), "latin1"), "is not UTF-8"],
    [
      "a surrogate in bytes",
      Buffer.concat([Buffer.from('{"appId":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
      "is not UTF-8",
    ],
    ["a field twice", JSON.stringify(VALID).replace("{", '{"appId":"other",'), "sets a field twice"],
    [
      "a field twice, once with an escape",
      JSON.stringify(VALID).replace("{", '{"\\u0061ppId" : "",'),
      "sets a field twice",
    ],
    ["null twice", JSON.stringify(VALID).replace("{", '{"notification":null,'), "sets a field twice"],
  ])("is rejected: %s", (_, line, description) => {
    expect(read(line)).toEqual({ event: undefined, violations: [{ line: 17, field: "", description }] });
  });
});

describe("an event line with an invalid field", () => {
  test.each([
    ["an unknown field", { topic: "x" }, "topic", "is not a field of a message event"],
    ["a field name in the wrong case", { AppId: "x" }, "AppId", "is not a field of a message event"],
    [
      "a field named like an object property",
      { constructor: 1 },
      "constructor",
      "is not a field of a message event",
    ],
    [
      "a field with control characters",
      { "a\u0007\n": 1 },
      "a\ufffd\ufffd",
      "is not a field of a message event",
    ],
    [
      "a field with a long name",
      { ["😀".repeat(33)]: 1 },
      `${"😀".repeat(32)}…`,
      "is not a field of a message event",
    ],
    ["a field under both of its names", { app_id: "app" }, "app_id", "is set twice"],
    ["no app", { appId: undefined }, "appId", "is required"],
    ["null as app", { appId: null }, "appId", "is required"],
    ["an empty app", { appId: "" }, "appId", "is required"],
    ["a number as app", { appId: 7 }, "appId", "must be a string"],
    ["an object as app", { appId: { a: 1, b: 2 } }, "appId", "must be a string"],
    ["a slash in an app", { appId: "a/b" }, "appId", `${SLASH}: a/b`],
    ["a control character in an app", { appId: "a\u0000" }, "appId", `${SLASH}: a\ufffd`],
    ["a control character above ASCII in an app", { appId: "a\u0085" }, "appId", `${SLASH}: a\ufffd`],
    ["the placeholder for all apps as app", { appId: "-" }, "appId", NO_PATH],
    ["a dot as app", { appId: "." }, "appId", NO_PATH],
    ["two dots as app", { appId: ".." }, "appId", NO_PATH],
    ["an app that is too long", { appId: "a".repeat(257) }, "appId", "must have at most 256 characters"],
    [
      "an app of surrogate pairs that is too long",
      { appId: "😀".repeat(257) },
      "appId",
      "must have at most 256 characters",
    ],
    ["half of a surrogate pair in an app", { appId: "\ud83d" }, "appId", SURROGATE],
    ["no message", { messageId: undefined }, "messageId", "is required"],
    ["an empty message", { messageId: "" }, "messageId", "is required"],
    ["true as message", { messageId: true }, "messageId", "must be a string"],
    [
      "a message id that is too long",
      { messageId: "m".repeat(257) },
      "messageId",
      "must have at most 256 characters",
    ],
    ["half of a surrogate pair in a message", { messageId: "\ude00x" }, "messageId", SURROGATE],
    ["no time", { eventTime: undefined }, "eventTime", "is required"],
    ["an empty time", { eventTime: "" }, "eventTime", `${TIME}: `],
    [
      "a time without an offset",
      { eventTime: "2026-03-05T12:00:00" },
      "eventTime",
      `${TIME}: 2026-03-05T12:00:00`,
    ],
    [
      "a day that does not exist",
      { eventTime: "2026-02-29T12:00:00Z" },
      "eventTime",
      `${TIME}: 2026-02-29T12:00:00Z`,
    ],
    [
      "a time in full-width digits",
      { eventTime: "２026-03-05T12:00:00Z" },
      "eventTime",
      `${TIME}: ２026-03-05T12:00:00Z`,
    ],
    ["a number as time", { eventTime: 1772712000 }, "eventTime", "must be an RFC 3339 timestamp in a string"],
    [
      "a time before the year 1",
      { eventTime: "0001-01-01T07:52:57.999Z" },
      "eventTime",
      `${YEARS}: 0001-01-01T07:52:57.999Z`,
    ],
    [
      "a time after the year 9999",
      { eventTime: "9999-12-31T23:59:59-09:00" },
      "eventTime",
      `${YEARS}: 9999-12-31T23:59:59-09:00`,
    ],
    ["the year 0", { eventTime: "0000-06-01T00:00:00Z" }, "eventTime", `${YEARS}: 0000-06-01T00:00:00Z`],
    ["no type", { eventType: undefined }, "eventType", "is required"],
    ["the unspecified type", { eventType: "EVENT_TYPE_UNSPECIFIED" }, "eventType", "is required"],
    ["the unspecified type as a number", { eventType: 0 }, "eventType", "is required"],
    ["an empty type", { eventType: "" }, "eventType", "is not a type of event: "],
    ["an unknown type", { eventType: "OPENED" }, "eventType", "is not a type of event: OPENED"],
    ["a type in lower case", { eventType: "accepted" }, "eventType", "is not a type of event: accepted"],
    ["a type's number in a string", { eventType: "1" }, "eventType", "is not a type of event: 1"],
    [
      "an object property as type",
      { eventType: "toString" },
      "eventType",
      "is not a type of event: toString",
    ],
    ["a number without a type", { eventType: 31 }, "eventType", "must be a string that names an event type"],
    ["a fraction as type", { eventType: 1.5 }, "eventType", "must be a string that names an event type"],
    ["a list as type", { eventType: ["ACCEPTED"] }, "eventType", "must be a string that names an event type"],
    ["a label with a space", { analyticsLabel: "a b" }, "analyticsLabel", `${LABEL}: a b`],
    [
      "a label that is too long",
      { analyticsLabel: "a".repeat(51) },
      "analyticsLabel",
      `${LABEL}: ${"a".repeat(51)}`,
    ],
    ["a label with a line break", { analyticsLabel: "a\n" }, "analyticsLabel", `${LABEL}: a\ufffd`],
    ["a label with a letter outside ASCII", { analyticsLabel: "ä" }, "analyticsLabel", `${LABEL}: ä`],
    ["a number as label", { analyticsLabel: 5 }, "analyticsLabel", "must be a string"],
    [
      "an invalid label with another type",
      { eventType: "STORED", analyticsLabel: "/" },
      "analyticsLabel",
      `${LABEL}: /`,
    ],
    ["a string as notification", { notification: "true" }, "notification", "must be true or false"],
    ["a number as notification", { notification: 1 }, "notification", "must be true or false"],
    ["a string as opt-in", { usageReportingOptIn: "false" }, "usageReportingOptIn", "must be true or false"],
  ])("is rejected: %s", (_, over, field, description) => {
    expect(read(withFields(over))).toEqual({
      event: undefined,
      violations: [{ line: 17, field, description }],
    });
  });

  it("is reported with all of its errors", () => {
    expect(read('{"topic":1,"messageId":""}').violations.map(({ field }) => field)).toEqual([
      "topic",
      "appId",
      "messageId",
      "eventTime",
      "eventType",
    ]);
  });

  it("is rejected if it has the key __proto__", () => {
    expect(read(JSON.stringify(VALID).replace("{", '{"__proto__":{},')).violations).toEqual([
      { line: 17, field: "__proto__", description: "is not a field of a message event" },
    ]);
  });
});

describe("an event's day", () => {
  const days = acceptedAt(Date.parse("2026-11-03T07:59:59Z"), { from: dayOfCivil(1970, 1, 1), ahead: 2 });
  const description = "must fall on a day from 1970-01-01 to 2026-11-04 in America/Los_Angeles";

  test.each([
    ["the first instant of the first day", "1970-01-01T00:00:00-08:00", true],
    ["the instant before", "1970-01-01T07:59:59.999Z", false],
    ["the last instant of the last day", "2026-11-04T23:59:59.999-08:00", true],
    ["the instant after", "2026-11-05T08:00:00Z", false],
    ["a day of the year 1", "0001-06-01T00:00:00Z", false],
    ["a day of the year 9999", "9999-06-01T00:00:00Z", false],
  ])("must be accepted by the configuration: %s", (_, eventTime, accepted) => {
    const violations = accepted
      ? []
      : [{ line: 17, field: "eventTime", description: `${description}: ${eventTime}` }];
    expect(read(withFields({ eventTime }), days).violations).toEqual(violations);
  });
});
