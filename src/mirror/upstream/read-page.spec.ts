import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { rowEncoders } from "../../messaging-data/delivery-data/encode/row-encoder.js";
import { ENTRY_FORM } from "../../messaging-data/delivery-data/encode/row-form.js";
import { dayOfCivil, formatDay } from "../../model/day.js";
import { COUNTS, type CountName, type EntryColumns } from "../../store/delivery-data-store.js";
import { EntryForms } from "./entry-form.js";
import { PageProblems } from "./known-fields.js";
import { readPage } from "./read-page.js";
import { UpstreamError } from "./upstream.js";

const APP = "1:123456789012:android:0a1b2c3d4e5f";
const TODAY = dayOfCivil(2026, 11, 22);
const DATE = { year: 2026, month: 11, day: 21 };

/** Reads a body without pauses. */
function read(body: string | Uint8Array, forms = new EntryForms()) {
  const problems = new PageProblems();
  const steps = readPage(Buffer.from(body), { appId: APP, today: TODAY }, problems, forms);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { ...step.value, problems: problems.texts };
  }
}

const readEntry = (entry: unknown) => read(JSON.stringify({ androidDeliveryData: [entry] }));

const columnOf = (name: CountName): number => COUNTS.indexOf(name);

describe("readPage", () => {
  test.each<[string, string, string]>([
    ["without entries", "{}", ""],
    ["with null for entries and token", '{"androidDeliveryData":null,"nextPageToken":null}', ""],
    ["with a token", '{"nextPageToken":"é/+"}', "é/+"],
    ["with names as in the contract", '{"android_delivery_data":[],"next_page_token":"a"}', "a"],
    ["after a byte order mark", '\ufeff{"nextPageToken":"a"}', "a"],
  ])("reads a page %s", (_, body, nextPageToken) => {
    expect(read(body)).toEqual({ entries: [], problems: [], nextPageToken });
  });

  test.each<[string, string | Uint8Array, string]>([
    ["that is empty", "", "the response is empty"],
    ["in HTML", "<!DOCTYPE html>\n<html>", "not complete JSON: it begins with <!DOCTYPE html>\u{fffd}<html>"],
    ["that is cut in half", '{"androidDeliveryData":[{"appId":"a', "not complete JSON"],
    ["that is not UTF-8", Buffer.from('{"nextPageToken":"\xe9"}', "latin1"), "not complete JSON"],
    ["that is an array", "[]", "the response is not a JSON object"],
    ["that is null", "null", "the response is not a JSON object"],
    [
      "with an object for entries",
      '{"androidDeliveryData":{}}',
      "androidDeliveryData in the response is not an array",
    ],
    ["with a number for its token", '{"nextPageToken":7}', "nextPageToken in the response is not a string"],
    ["nested deeply", "[".repeat(100_000), "not complete JSON"],
  ])("rejects a page %s", (_, body, message) => {
    expect(() => read(body)).toThrow(UpstreamError);
    expect(() => read(body)).toThrow(message);
  });

  it("reports each unknown field once, and reads all other fields", () => {
    const data = { countMessagesAccepted: "1", foo: 1, messageOutcomePercents: { delivered: 100, lost: 0 } };
    const entry = { appId: APP, date: { ...DATE, era: "AD" }, kind: "x", data };
    const page = { androidDeliveryData: [entry, entry], newTop: true };
    const { entries, problems } = read(JSON.stringify(page));
    expect(problems).toEqual([
      "unknown field newTop",
      "unknown field date.era",
      "unknown field kind",
      "unknown field data.foo",
      "unknown field data.messageOutcomePercents.lost",
    ]);
    expect(entries[0]?.original).toBe(
      JSON.stringify({
        appId: APP,
        date: DATE,
        data: { countMessagesAccepted: "1", messageOutcomePercents: { delivered: 100 } },
      }),
    );
  });

  it("limits the number of reported problems", () => {
    const entry = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]));
    const { problems } = readEntry({ appId: APP, date: DATE, ...entry });
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe("there are further kinds of problems");
  });
});

describe("readPage keeps all fields of an entry", () => {
  test.each<[string, object, string]>([
    [
      "in contract order",
      { date: DATE, appId: APP },
      `{"appId":"${APP}","date":{"year":2026,"month":11,"day":21}}`,
    ],
    [
      "without data",
      { appId: APP, date: DATE },
      `{"appId":"${APP}","date":{"year":2026,"month":11,"day":21}}`,
    ],
    [
      "with empty data",
      { appId: APP, date: DATE, data: {} },
      `{"appId":"${APP}","date":{"year":2026,"month":11,"day":21},"data":{}}`,
    ],
    [
      "with zeros, and null as absent",
      {
        appId: APP,
        date: { year: 2026, month: 0 },
        analyticsLabel: "",
        data: {
          countMessagesAccepted: "0",
          countNotificationsAccepted: null,
          messageInsightPercents: { priorityLowered: 0 },
        },
      },
      `{"appId":"${APP}","date":{"year":2026,"month":0},"analyticsLabel":"","data":{"countMessagesAccepted":"0","messageInsightPercents":{"priorityLowered":0}}}`,
    ],
    [
      "in the other forms that ProtoJSON allows",
      {
        app_id: APP,
        date: { year: "2026" },
        data: { count_messages_accepted: 7, messageOutcomePercents: { delivered: "12.5" } },
      },
      `{"appId":"${APP}","date":{"year":2026},"data":{"countMessagesAccepted":"7","messageOutcomePercents":{"delivered":12.5}}}`,
    ],
  ])("%s", (_, entry, original) => {
    const { entries, problems } = readEntry(entry);
    expect(problems).toEqual([]);
    expect(entries.map(({ original }) => original)).toEqual([original]);
  });

  test.each(["spring-sale", "", "ünï cödé 😀", "a/b", "a".repeat(256)])(
    "with the label %j",
    (analyticsLabel) => {
      const { entries, problems } = readEntry({ appId: APP, date: DATE, analyticsLabel });
      expect(problems).toEqual([]);
      expect(entries).toMatchObject([{ appId: APP, label: analyticsLabel }]);
    },
  );

  test.each<[object, string]>([
    [{ year: 2026, month: 11, day: 21 }, "2026-11-21"],
    [{ year: 2026, month: 11 }, "2026-11-01"],
    [{ year: 2026, month: 11, day: 0 }, "2026-11-01"],
    [{ year: 2026 }, "2026-01-01"],
    [{ year: 2024, month: 2, day: 29 }, "2024-02-29"],
    [{ year: 2026, month: 11, day: 22 }, "2026-11-22"],
  ])("with the date %j, which begins on %s", (date, day) => {
    const { entries, problems } = readEntry({ appId: APP, date });
    expect(problems).toEqual([]);
    expect(entries.map(({ day }) => formatDay(day))).toEqual([day]);
  });
});

/**
 * Known shapes of upstream entries: the example in its guide
 * (firebase.google.com/docs/cloud-messaging/understand-delivery), and the responses that its clients have recorded in
 * their tests.
 */
describe("readPage with an entry that has a known shape", () => {
  const BARE = { countMessagesAccepted: "425", countNotificationsAccepted: "111" };

  test.each<[string, string | undefined, object, Partial<Record<CountName, number>> | undefined]>([
    [
      "with whole percentages and some groups",
      "foo",
      {
        countMessagesAccepted: "314159",
        messageOutcomePercents: { delivered: 71, pending: 15 },
        deliveryPerformancePercents: { deliveredNoDelay: 45, delayedDeviceOffline: 11 },
      },
      {
        count_messages_accepted: 314_159,
        delivered: 223_053,
        pending: 47_124,
        delivered_no_delay: 141_372,
        delayed_device_offline: 34_557,
      },
    ],
    ["with suppressed figures", "bar", {}, undefined],
    ["with numbers only", "bar", BARE, undefined],
    [
      "with numbers and one group",
      undefined,
      { ...BARE, proxyNotificationInsightPercents: { skippedUnsupported: 56 } },
      undefined,
    ],
  ])("keeps all fields %s", (_, analyticsLabel, data, known) => {
    const entry = { appId: APP, date: DATE, ...(analyticsLabel !== undefined && { analyticsLabel }), data };
    const { entries, problems } = readEntry(entry);
    expect(problems).toEqual([]);
    expect(entries).toMatchObject([{ label: analyticsLabel ?? "" }]);
    expect(JSON.parse(entries[0]?.original ?? "")).toEqual(entry);
    const counts = entries[0]?.counts;
    const nonZero = COUNTS.flatMap((name, i) => ((counts?.[i] ?? 0) === 0 ? [] : [[name, counts?.[i]]]));
    expect(counts && Object.fromEntries(nonZero)).toEqual(known);
  });
});

describe("readPage leaves out an entry", () => {
  const withData = (data: unknown) => ({ appId: APP, date: DATE, data });
  const withDelivered = (delivered: unknown) =>
    withData({ countMessagesAccepted: "5", messageOutcomePercents: { delivered } });
  const DELIVERED = "data.messageOutcomePercents.delivered is not a percentage";

  test.each<[string, unknown, string]>([
    ["that is null", null, "an entry is not an object: null"],
    ["that is a string", "x", "an entry is not an object: x"],
    ["of another app", { appId: "other", date: DATE }, "an entry belongs to another app: other"],
    ["without an app", { date: DATE }, "an entry belongs to another app: "],
    ["with a number for its app", { appId: 7, date: DATE }, "appId is not a string: 7"],
    ["without a date", { appId: APP }, "date is not a date with a year: {}"],
    [
      "without a year",
      { appId: APP, date: { month: 2, day: 3 } },
      'date is not a date with a year: {"month":2,"day":3}',
    ],
    [
      "with a day but no month",
      { appId: APP, date: { year: 2026, day: 3 } },
      'date is not a date with a year: {"year":2026,"day":3}',
    ],
    [
      "on 30 February",
      { appId: APP, date: { year: 2026, month: 2, day: 30 } },
      'date is not a date with a year: {"year":2026,"month":2,"day":30}',
    ],
    [
      "in month 13",
      { appId: APP, date: { year: 2026, month: 13 } },
      'date is not a date with a year: {"year":2026,"month":13}',
    ],
    ["with half a year", { appId: APP, date: { year: 2026.5 } }, "date.year is not an integer: 2026.5"],
    ["with a string for its date", { appId: APP, date: "2026-11-21" }, "date is not an object: 2026-11-21"],
    [
      "of tomorrow",
      { appId: APP, date: { year: 2026, month: 11, day: 23 } },
      "date is in the future: 2026-11-23",
    ],
    [
      "with a label of 257 characters",
      { appId: APP, date: DATE, analyticsLabel: "a".repeat(257) },
      `analyticsLabel is too long or contains control characters: ${"a".repeat(64)}…`,
    ],
    [
      "with a line break in its label",
      { appId: APP, date: DATE, analyticsLabel: "a\nb" },
      "analyticsLabel is too long or contains control characters: a\u{fffd}b",
    ],
    [
      "with half a surrogate pair in its label",
      { appId: APP, date: DATE, analyticsLabel: "\ud800" },
      "analyticsLabel is not a string: \u{fffd}",
    ],
    ["with an array for its data", withData([]), "data is not an object: an array"],
    [
      "with more messages than 2^53",
      withData({ countMessagesAccepted: "9007199254740992" }),
      "data.countMessagesAccepted is not a count up to 2^53: 9007199254740992",
    ],
    [
      "with a negative count",
      withData({ countMessagesAccepted: "-1" }),
      "data.countMessagesAccepted is not a count up to 2^53: -1",
    ],
    [
      "with a word for a count",
      withData({ countMessagesAccepted: "many" }),
      "data.countMessagesAccepted is not a count up to 2^53: many",
    ],
    ["with a percentage above 100", withDelivered(100.1), `${DELIVERED}: 100.1`],
    ["with a percentage below 0", withDelivered(-0.1), `${DELIVERED}: -0.1`],
    ["with NaN", withDelivered("NaN"), `${DELIVERED}: NaN`],
    ["with infinity", withDelivered("Infinity"), `${DELIVERED}: Infinity`],
    ["with a word for a percentage", withDelivered("12%"), `${DELIVERED}: 12%`],
    ["with true for a percentage", withDelivered(true), `${DELIVERED}: true`],
  ])("%s", (_, entry, problem) => {
    const good = { appId: APP, date: DATE, analyticsLabel: "good" };
    const { entries, problems } = read(JSON.stringify({ androidDeliveryData: [good, entry, entry] }));
    expect(problems).toEqual([problem]);
    expect(entries.map(({ label }) => label)).toEqual(["good"]);
  });

  it("with a number that a double cannot represent", () => {
    const body = `{"androidDeliveryData":[{"appId":"${APP}","date":{"year":1e999}}]}`;
    expect(read(body)).toMatchObject({ entries: [], problems: ["date.year is not an integer: Infinity"] });
  });
});

describe("derivedCounts", () => {
  const countsOf = (data: object | undefined) =>
    readEntry({ appId: APP, date: DATE, data }).entries[0]?.counts;

  test.each<[string, object | undefined]>([
    ["without data", undefined],
    ["with empty data", {}],
    ["without the number of messages", { messageOutcomePercents: { delivered: 50 } }],
    ["with messages but no outcomes", { countMessagesAccepted: "10", countNotificationsAccepted: "3" }],
  ])("returns undefined %s", (_, data) => {
    expect(readEntry({ appId: APP, date: DATE, data }).entries).toMatchObject([{ counts: undefined }]);
  });

  it("returns zeros if the entry has no messages", () => {
    expect(countsOf({ countMessagesAccepted: "0" })).toEqual(COUNTS.map(() => 0));
  });

  it("never returns negative zero", () => {
    const counts = countsOf({ countMessagesAccepted: "1", messageOutcomePercents: { delivered: "-0" } });
    expect(counts?.[columnOf("delivered")]).toBe(0);
  });

  it("returns the closest integers for rounded percentages", () => {
    const counts = countsOf({
      countMessagesAccepted: "9007199254740991",
      countNotificationsAccepted: "3",
      messageOutcomePercents: { delivered: 100 },
      deliveryPerformancePercents: { deliveredNoDelay: 0 },
      proxyNotificationInsightPercents: { proxied: 33, failed: 66.7 },
    });
    expect(counts?.[columnOf("count_messages_accepted")]).toBe(Number.MAX_SAFE_INTEGER);
    expect(counts?.[columnOf("delivered")]).toBe(Number.MAX_SAFE_INTEGER);
    expect(counts?.[columnOf("proxied")]).toBe(1);
    expect(counts?.[columnOf("failed")]).toBe(2);
    expect(counts?.[columnOf("pending")]).toBe(0);
  });
});

/** Counts with parts that do not exceed their whole, as in any computed entry. */
const counts = fc
  .record({ messages: fc.integer({ min: 1, max: 2 ** 40 }), notifications: fc.nat(2 ** 40) })
  .chain(({ messages, notifications }) =>
    fc.tuple(
      ...COUNTS.map((name, i) => {
        if (name === "count_messages_accepted") return fc.constant(messages);
        if (name === "count_notifications_accepted") return fc.constant(notifications);
        return fc.nat(i >= columnOf("proxied") ? notifications : messages);
      }),
    ),
  );

describe("readPage with entries that Waybill itself has computed", () => {
  it("returns their JSON and their exact counts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ counts, label: fc.stringMatching(/^[a-zA-Z0-9_.~%-]{0,50}$/) }), {
          maxLength: 5,
        }),
        fc.string(),
        (rows, token) => {
          const columns: EntryColumns = {
            length: rows.length,
            days: rows.map((_, i) => TODAY - i),
            appIds: rows.map(() => APP),
            labels: rows.map(({ label }) => label),
            counts: COUNTS.map((_, i) => Float64Array.from(rows, ({ counts }) => counts[i] ?? 0)),
          };
          const encoder = rowEncoders(ENTRY_FORM)("json");
          encoder.add(columns, 0, rows.length);
          const body = encoder.finish(token).bytes;
          const page = read(body);
          expect(page.problems).toEqual([]);
          expect(page.nextPageToken).toBe(token);
          expect(page.entries.map(({ counts }) => counts)).toEqual(rows.map(({ counts }) => counts));
          expect(page.entries.map(({ day, label }) => ({ day, label }))).toEqual(
            rows.map(({ label }, i) => ({ day: TODAY - i, label })),
          );
          const originals = page.entries.map(({ original }) => original).join(",");
          expect(Buffer.from(body).includes(originals)).toBe(true);
        },
      ),
    );
  });
});

describe("readPage with entries of known forms", () => {
  const figure = fc.constantFrom(
    "7",
    "0",
    "-0",
    "50.0",
    "1e1",
    "33.333333333333336",
    "100.1",
    "1e400",
    "null",
  );
  const count = fc.constantFrom('"7"', '"0"', '"9007199254740993"', '"-1"', '"1e2"', "7", '"07"', '"x"');
  const label = fc.constantFrom(
    "",
    "a",
    "long-label-of-a-campaign",
    "é😀",
    "a}{",
    "\\n",
    "\\u0061",
    "\u0080",
    '\\"',
  );
  const date = fc.constantFrom(
    '"year":2026,"month":11,"day":2',
    '"year":2026',
    '"year":"2026"',
    '"month":1,"year":2026',
    '"year":2027',
  );
  const entry = fc
    .record({
      app: fc.constantFrom(APP, APP, APP, "other"),
      figure,
      count,
      label,
      date,
      isEmpty: fc.boolean(),
    })
    .map(({ app, figure, count, label, date, isEmpty }) => {
      const data = isEmpty
        ? ""
        : `"countMessagesAccepted":${count},"messageOutcomePercents":{"delivered":${figure}}`;
      return `{"appId":"${app}","date":{${date}},"analyticsLabel":"${label}","data":{${data}}}`;
    });
  const odd = fc.constantFrom('{"appId":"a"', "{}", "null", "[]", '{"appId":tru}', '{"unknown":{"a":"}"}}');
  const items = fc.array(fc.oneof({ weight: 9, arbitrary: entry }, odd), { maxLength: 40 });

  const end = fc.constantFrom(
    "",
    ',"nextPageToken":"t"',
    ' , "nextPageToken" : "abc\\u003d" ',
    ',"nextPageToken":null,"other":1',
    ',"next_page_token":"t"',
    ',"nextPageToken":7',
    ',"androidDeliveryData":[]',
    ',"android\\u0044eliveryData":null',
    ',"",',
    ",",
  );

  const outcomeOf = (work: () => object): object => {
    try {
      return work();
    } catch (error) {
      return { error: String(error).replace(/it begins with.*/s, "") };
    }
  };

  it("returns the same as if the whole page is parsed as JSON", () => {
    fc.assert(
      fc.property(
        items,
        fc.constantFrom(",", " ,\n"),
        fc.boolean(),
        end,
        (texts, separator, isSpaced, rest) => {
          const list = texts.join(separator);
          const entries = isSpaced ? list.replace(/[{}:,](?=")|\}(?=\})/g, "$&\n ") : list;
          const forms = new EntryForms();
          const page = () => read(`{"androidDeliveryData":[${entries}]${rest}}`, forms);
          // A page that begins with another field is parsed as a whole.
          const whole = () => read(`{"nextPageToken":null,"androidDeliveryData":[${entries}]${rest}}`);
          const expected = outcomeOf(whole);
          expect(outcomeOf(page)).toEqual(expected);
          expect(outcomeOf(page)).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("reads a label and a page token with millions of characters", () => {
    const forms = new EntryForms();
    const page = (text: string) =>
      `{"androidDeliveryData":[{"appId":"${APP}","date":{"year":2026},"analyticsLabel":"${text}"}],"nextPageToken":"${text}"}`;
    for (const length of [1, 4_000_000, 4_000_000]) {
      const { entries, nextPageToken, problems } = read(page("x".repeat(length)), forms);
      expect(nextPageToken).toHaveLength(length);
      expect([entries.length, problems.length]).toEqual(length === 1 ? [1, 0] : [0, 1]);
    }
  });

  it("reads a page with millions of spaces between its tokens", () => {
    const forms = new EntryForms();
    const entry = `{"appId":"${APP}","date":{"year":2026}}`;
    read(`{"androidDeliveryData":[${entry}]}`, forms);
    const spaced = entry.replace(/[{},]|(?<="):/g, `$&${" ".repeat(500_000)}`);
    expect(read(`{"androidDeliveryData":[${spaced}]}`, forms).entries).toHaveLength(1);
    expect(() => read(`{"androidDeliveryData":[${spaced}x]}`, forms)).toThrow(UpstreamError);
  });
});
