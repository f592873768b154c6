import { create, fromJsonString, toJson, toJsonString } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AndroidDeliveryData,
  AndroidDeliveryDataSchema,
  DataSchema,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { dayOfCivil } from "../../store/day.js";
import { COUNTS, type CountName, type EntryColumns } from "../../store/delivery-data-store.js";
import { encodeEntries } from "./entry-encoder.js";

interface Row {
  readonly date: { readonly year: number; readonly month: number; readonly day: number };
  readonly label: string;
  readonly counts: Readonly<Record<CountName, number>>;
}

/** The message of an entry, put together field by field as the specification has them (2.5 to 2.9). */
function messageOf(appId: string, { date, label, counts }: Row): AndroidDeliveryData {
  const messages = counts.count_messages_accepted;
  const notifications = counts.count_notifications_accepted;
  const ofMessages = (count: number) => (100 * count) / messages;
  const ofNotifications = (count: number) => (100 * count) / notifications;
  return create(AndroidDeliveryDataSchema, {
    appId,
    date,
    analyticsLabel: label,
    data: {
      countMessagesAccepted: BigInt(messages),
      countNotificationsAccepted: BigInt(notifications),
      ...(messages > 0 && {
        messageOutcomePercents: {
          delivered: ofMessages(counts.delivered),
          pending: ofMessages(counts.pending),
          collapsed: ofMessages(counts.collapsed),
          droppedTooManyPendingMessages: ofMessages(counts.dropped_too_many_pending_messages),
          droppedAppForceStopped: ofMessages(counts.dropped_app_force_stopped),
          droppedDeviceInactive: ofMessages(counts.dropped_device_inactive),
          droppedTtlExpired: ofMessages(counts.dropped_ttl_expired),
        },
        deliveryPerformancePercents: {
          deliveredNoDelay: ofMessages(counts.delivered_no_delay),
          delayedDeviceOffline: ofMessages(counts.delayed_device_offline),
          delayedDeviceDoze: ofMessages(counts.delayed_device_doze),
          delayedMessageThrottled: ofMessages(counts.delayed_message_throttled),
          delayedUserStopped: ofMessages(counts.delayed_user_stopped),
        },
        messageInsightPercents: { priorityLowered: ofMessages(counts.priority_lowered) },
      }),
      ...(notifications > 0 && {
        proxyNotificationInsightPercents: {
          proxied: ofNotifications(counts.proxied),
          failed: ofNotifications(counts.failed),
          skippedUnsupported: ofNotifications(counts.skipped_unsupported),
          skippedNotThrottled: ofNotifications(counts.skipped_not_throttled),
          skippedUnconfigured: ofNotifications(counts.skipped_unconfigured),
          skippedOptedOut: ofNotifications(counts.skipped_opted_out),
        },
      }),
    },
  });
}

const columnsOf = (rows: readonly Row[]): EntryColumns => ({
  length: rows.length,
  days: rows.map(({ date }) => dayOfCivil(date.year, date.month, date.day)),
  labels: rows.map(({ label }) => label),
  counts: COUNTS.map((name) => Float64Array.from(rows, ({ counts }) => counts[name])),
});

const count = fc.oneof(fc.constant(0), fc.nat(9), fc.nat(1_000_000_000), fc.maxSafeInteger().map(Math.abs));
const row: fc.Arbitrary<Row> = fc.record({
  date: fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })),
  label: fc.stringMatching(/^[a-zA-Z0-9_.~%-]{0,50}$/),
  counts: fc.record(
    Object.fromEntries(COUNTS.map((name) => [name, count])) as Record<CountName, fc.Arbitrary<number>>,
  ),
});
const appId = fc.oneof(
  fc.constantFrom("1:123456789012:android:0a1b2c3d4e5f", 'a"b', "back\\slash", "\u2028\u00e9😀", "\u0001"),
  fc.string({ minLength: 1, unit: "grapheme" }),
);

describe("encodeEntries", () => {
  it("writes what the generic encoder writes for the message, to the byte", () => {
    fc.assert(
      fc.property(appId, fc.array(row, { maxLength: 5 }), (appId, rows) => {
        const text = encodeEntries(appId, columnsOf(rows), 0, rows.length);
        const messages = rows.map((row) => messageOf(appId, row));
        expect(JSON.parse(`[${text}]`)).toEqual(
          messages.map((message) => toJson(AndroidDeliveryDataSchema, message)),
        );
        expect(text).toBe(
          messages.map((message) => toJsonString(AndroidDeliveryDataSchema, message)).join(","),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("writes what a reader of the contract reads back the same", () => {
    fc.assert(
      fc.property(appId, row, (appId, row) => {
        const text = encodeEntries(appId, columnsOf([row]), 0, 1);
        const message = fromJsonString(AndroidDeliveryDataSchema, text);
        expect(toJsonString(AndroidDeliveryDataSchema, message)).toBe(text);
        expect(message.data?.countMessagesAccepted).toBe(BigInt(row.counts.count_messages_accepted));
      }),
    );
  });

  it("writes the rows asked for and no others", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (rows, a, b) => {
        const start = a % rows.length;
        const end = start + (b % (rows.length - start + 1));
        expect(encodeEntries("app", columnsOf(rows), start, end)).toBe(
          encodeEntries("app", columnsOf(rows.slice(start, end)), 0, end - start),
        );
      }),
    );
  });

  it("leaves out zeros and groups without a denominator", () => {
    const none = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>;
    const date = { year: 2026, month: 3, day: 5 };
    const rows: Row[] = [
      { date, label: "", counts: none },
      { date, label: "a", counts: { ...none, count_messages_accepted: 3, delivered: 1 } },
    ];
    expect(encodeEntries("app", columnsOf(rows), 0, 2)).toBe(
      '{"appId":"app","date":{"year":2026,"month":3,"day":5},"data":{}},' +
        '{"appId":"app","date":{"year":2026,"month":3,"day":5},"analyticsLabel":"a","data":{' +
        '"countMessagesAccepted":"3","messageOutcomePercents":{"delivered":33.333333333333336},' +
        '"deliveryPerformancePercents":{},"messageInsightPercents":{}}}',
    );
  });
});

it("has a count for each figure of the contract, and none besides", () => {
  const figures = DataSchema.fields.flatMap((field) =>
    field.fieldKind === "message" ? field.message.fields.map(({ name }) => name) : [field.name],
  );
  expect([...COUNTS].sort()).toEqual(figures.sort());
});
