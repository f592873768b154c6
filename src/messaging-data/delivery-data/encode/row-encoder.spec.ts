import {
  create,
  fromBinary,
  fromJson,
  fromJsonString,
  toBinary,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EncodedJson } from "../../../api/encoded-response.js";
import {
  type AndroidDeliveryData,
  AndroidDeliveryDataSchema,
  DataSchema,
  DeliveryCountsSchema,
} from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  type DeliveryDataGroup,
  DeliveryDataGroupSchema,
  AggregateAndroidDeliveryDataResponseSchema as GroupsSchema,
  type ListAndroidDeliveryDataResponse,
  ListAndroidDeliveryDataResponseSchema as PageSchema,
} from "../../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { dayOfCivil } from "../../../model/day.js";
import {
  COUNTS,
  type CountName,
  type EntryColumns,
  type GroupColumns,
} from "../../../store/delivery-data-store.js";
import { encodeBatches, rowEncoders } from "./row-encoder.js";
import { ENTRY_FORM, type EncodedRows, GROUP_FORM, type RowEncoder } from "./row-form.js";

const newEntryEncoder = rowEncoders(ENTRY_FORM);
const newGroupEncoder = rowEncoders(GROUP_FORM);

interface Row {
  readonly appId: string;
  readonly date: { readonly year: number; readonly month: number; readonly day: number };
  readonly label: string;
  readonly counts: Readonly<Record<CountName, number>>;
}

/** Builds an entry's message field by field (specification 2.5 to 2.9). */
function messageOf({ appId, date, label, counts }: Row): AndroidDeliveryData {
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
  appIds: rows.map(({ appId }) => appId),
  labels: rows.map(({ label }) => label),
  counts: COUNTS.map((name) => Float64Array.from(rows, ({ counts }) => counts[name])),
});

const count = fc.oneof(fc.constant(0), fc.nat(9), fc.nat(1_000_000_000), fc.maxSafeInteger().map(Math.abs));
const appId = fc.oneof(
  fc.constantFrom("1:123456789012:android:0a1b2c3d4e5f", 'a"b', "back\\slash", "\u2028\u00e9😀", "\u0001"),
  fc.string({ minLength: 1, unit: "grapheme" }),
  fc.constant("😀".repeat(256)),
);
const row: fc.Arbitrary<Row> = fc.record({
  appId,
  date: fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })),
  label: fc.oneof(fc.stringMatching(/^[a-zA-Z0-9_.~%-]{0,50}$/), fc.string({ unit: "grapheme" })),
  counts: fc.record(
    Object.fromEntries(COUNTS.map((name) => [name, count])) as Record<CountName, fc.Arbitrary<number>>,
  ),
});
/**
 * Generates rows as a store returns them: in batches, with entries of the same app and day next to each
 * other.
 */
const batches = fc.array(
  fc
    .array(fc.tuple(row, fc.integer({ min: 1, max: 3 })), { maxLength: 4 })
    .map((groups) =>
      groups.flatMap(([row, times]) =>
        Array.from({ length: times }, (_, i) => ({ ...row, label: `${row.label}${i}` })),
      ),
    ),
  { maxLength: 3 },
);
const token = fc.oneof(fc.constant(""), fc.base64String(), fc.constant("A".repeat(300)));

const pageOf = (rows: readonly Row[], nextPageToken = ""): ListAndroidDeliveryDataResponse =>
  create(PageSchema, { androidDeliveryData: rows.map(messageOf), nextPageToken });

function encode(encoder: RowEncoder, batches: readonly (readonly Row[])[], nextPageToken = ""): EncodedRows {
  for (const rows of batches) encoder.add(columnsOf(rows), 0, rows.length);
  return encoder.finish(nextPageToken);
}
const jsonOf = (batches: readonly (readonly Row[])[], nextPageToken?: string): string =>
  encode(newEntryEncoder("json"), batches, nextPageToken).bytes.toString();
const binaryOf = (batches: readonly (readonly Row[])[], nextPageToken?: string): Uint8Array =>
  encode(newEntryEncoder("binary"), batches, nextPageToken).bytes;

describe("JSON encoder", () => {
  it("encodes a page byte for byte like the generic encoder", () => {
    fc.assert(
      fc.property(batches, token, (batches, nextPageToken) => {
        const text = jsonOf(batches, nextPageToken);
        const page = pageOf(batches.flat(), nextPageToken);
        expect(JSON.parse(text)).toEqual(toJson(PageSchema, page));
        expect(text).toBe(toJsonString(PageSchema, page));
      }),
      { numRuns: 500 },
    );
  });

  it("writes a page that a generic parser reads back unchanged", () => {
    fc.assert(
      fc.property(row, (row) => {
        const text = jsonOf([[row]]);
        const page = fromJsonString(PageSchema, text);
        expect(toJsonString(PageSchema, page)).toBe(text);
        const [entry] = page.androidDeliveryData;
        expect(entry?.data?.countMessagesAccepted).toBe(BigInt(row.counts.count_messages_accepted));
      }),
    );
  });

  it("omits zeros and groups without a denominator", () => {
    const none = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>;
    const entry = { appId: "app", date: { year: 2026, month: 3, day: 5 } };
    const rows: Row[] = [
      { ...entry, label: "", counts: none },
      { ...entry, label: "a", counts: { ...none, count_messages_accepted: 3, delivered: 1 } },
    ];
    expect(jsonOf([rows])).toBe(
      '{"androidDeliveryData":[' +
        '{"appId":"app","date":{"year":2026,"month":3,"day":5},"data":{}},' +
        '{"appId":"app","date":{"year":2026,"month":3,"day":5},"analyticsLabel":"a","data":{' +
        '"countMessagesAccepted":"3","messageOutcomePercents":{"delivered":33.333333333333336},' +
        '"deliveryPerformancePercents":{},"messageInsightPercents":{}}}]}',
    );
    expect(jsonOf([])).toBe("{}");
  });
});

describe("binary encoder", () => {
  it("encodes a page byte for byte like the generic encoder", () => {
    fc.assert(
      fc.property(batches, token, (batches, nextPageToken) => {
        const expected = toBinary(PageSchema, pageOf(batches.flat(), nextPageToken));
        expect(Buffer.compare(binaryOf(batches, nextPageToken), expected)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it("writes the same message as the JSON encoder", () => {
    fc.assert(
      fc.property(batches, token, (batches, nextPageToken) => {
        const json = JSON.parse(jsonOf(batches, nextPageToken));
        expect(fromBinary(PageSchema, binaryOf(batches, nextPageToken))).toEqual(fromJson(PageSchema, json));
      }),
    );
  });
});

describe.each([
  ["in JSON", () => newEntryEncoder("json")],
  ["in binary form", () => newEntryEncoder("binary")],
])("the page encoder %s", (_, newEncoder) => {
  it("encodes only the requested number of rows", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.nat(), (rows, some) => {
        const count = some % (rows.length + 1);
        const encoder: RowEncoder = newEncoder();
        encoder.add(columnsOf(rows), 0, count);
        const page = encoder.finish("");
        expect(page.bytes).toEqual(encode(newEncoder(), [rows.slice(0, count)]).bytes);
      }),
    );
  });

  it("encodes a page with the maximum number of rows", () => {
    const counts = Object.fromEntries(COUNTS.map((name, i) => [name, 1e9 + i])) as Row["counts"];
    const row: Row = { appId: "app", date: { year: 2026, month: 3, day: 5 }, label: "label", counts };
    const page = encode(newEncoder(), [Array.from({ length: 10_000 }, () => row)]);
    const message =
      page instanceof EncodedJson
        ? fromJsonString(PageSchema, page.bytes.toString())
        : fromBinary(PageSchema, page.bytes);
    expect(message.androidDeliveryData).toEqual(Array.from({ length: 10_000 }, () => messageOf(row)));
  });
});

/** Builds the expected sum for a row, with these dimensions set. */
function groupOf(
  { appId, date, label, counts }: Row,
  dimensions: readonly string[],
  withoutCounts?: number,
): DeliveryDataGroup {
  const fields = DeliveryCountsSchema.fields.map(({ localName, name }) => [
    localName,
    BigInt(counts[name as CountName]),
  ]);
  return create(DeliveryDataGroupSchema, {
    ...(dimensions.includes("app") && { appId }),
    ...(dimensions.includes("date") && { date }),
    ...(dimensions.includes("label") && { analyticsLabel: label }),
    counts: Object.fromEntries(fields),
    ...(withoutCounts !== undefined && {
      fromPercentages: true,
      excludedEntryCount: BigInt(withoutCounts),
    }),
  });
}

describe.each([
  [[]],
  [["date"]],
  [["label"]],
  [["date", "label"]],
  [["app"]],
  [["app", "date"]],
  [["app", "label"]],
  [["app", "date", "label"]],
])("the encoders of groups by %j", (dimensions: readonly string[]) => {
  const batchesOf = (rows: readonly (readonly Row[])[], withoutCounts: readonly number[]): GroupColumns[] => {
    let taken = 0;
    return rows.map((batch) => {
      const { length, days, appIds, labels, counts } = columnsOf(batch);
      return {
        length,
        ...(dimensions.includes("date") && { days }),
        ...(dimensions.includes("app") && { appIds }),
        ...(dimensions.includes("label") && { labels }),
        counts,
        ...(withoutCounts.length > 0 && {
          withoutCounts: Float64Array.from(batch, () => withoutCounts[taken++ % withoutCounts.length] ?? 0),
        }),
      };
    });
  };

  it("write the same JSON and binary form as the generic encoders, byte for byte", async () => {
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(batches, fc.array(count, { maxLength: 3 }), async (rows, withoutCounts) => {
        const groups = rows
          .flat()
          .map((row, i) => groupOf(row, dimensions, withoutCounts[i % withoutCounts.length]));
        const message = create(GroupsSchema, { groups });
        const [json, binary] = [newGroupEncoder("json"), newGroupEncoder("binary")];
        for (const encoder of [json, binary]) {
          expect(
            await encodeBatches(encoder, batchesOf(rows, withoutCounts), groups.length, signal),
          ).toBeUndefined();
        }
        expect(json.finish().bytes.toString()).toBe(toJsonString(GroupsSchema, message));
        expect(Buffer.compare(binary.finish().bytes, toBinary(GroupsSchema, message))).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

it("the contract's figures have the same names as the store's counts", () => {
  const figures = DataSchema.fields.flatMap((field) =>
    field.fieldKind === "message" ? field.message.fields.map(({ name }) => name) : [field.name],
  );
  expect([...COUNTS].sort()).toEqual(figures.sort());
  expect(DeliveryCountsSchema.fields.map(({ name }) => name).sort()).toEqual([...COUNTS].sort());
});

describe("row encoders", () => {
  const originals = [
    '{"appId":"app","date":{"year":2026,"month":3},"data":{}}',
    '{"appId":"app","date":{"year":2026,"month":3,"day":5},"analyticsLabel":"a","data":{"countMessagesAccepted":"3","messageOutcomePercents":{"delivered":33.3}}}',
    '{"appId":"app","date":{"year":2026,"month":3,"day":5},"analyticsLabel":"b"}',
  ];
  const columns = {
    length: 3,
    days: [20_000, 20_001, 20_001],
    appIds: ["app", "app", "app"],
    labels: ["", "a", "b"],
    counts: COUNTS.map(() => new Float64Array(3).fill(7)),
    originals,
  };

  it("write originals unchanged in JSON", () => {
    const encoder = newEntryEncoder("json");
    encoder.add(columns, 0, 2);
    encoder.add(columns, 2, 3);
    expect(encoder.finish("t").bytes.toString()).toBe(
      `{"androidDeliveryData":[${originals.join(",")}],"nextPageToken":"t"}`,
    );
  });

  it("write originals as the same messages in binary form", () => {
    const encoder = newEntryEncoder("binary");
    encoder.add(columns, 1, 3);
    expect(toJson(PageSchema, fromBinary(PageSchema, encoder.finish().bytes))).toEqual({
      androidDeliveryData: originals.slice(1).map((text) => JSON.parse(text)),
    });
  });
});
