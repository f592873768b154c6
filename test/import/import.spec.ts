import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { accepted } from "../support/data/delivery-data.js";
import { countsByLabel, entriesOf, entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { test as serving } from "../support/servers/fixtures.js";
import { PROJECT } from "../support/servers/project.js";
import { zstdOf } from "../support/zstd.js";

const NOON = "2026-01-02T12:00:00-08:00";

const test = serving
  /** Counts of an app by label, once they are as expected. */
  .extend(
    "counts",
    ({ server, editor }) =>
      async (appId: string, expected: Record<string, number>): Promise<Record<string, number>> => {
        const read = (entries: Parameters<typeof countsByLabel>[0]) =>
          Object.fromEntries(countsByLabel(entries));
        return read(
          await entriesOnceThey(server, editor, appId, (entries) =>
            isDeepStrictEqual(read(entries), expected),
          ),
        );
      },
  );

const optedOut = (appId: string): object => ({ ...accepted(appId, NOON), usageReportingOptIn: false });
const delivered = (appId: string, messageId = "m"): object => ({
  appId,
  messageId,
  eventTime: NOON,
  eventType: "DELIVERED",
});

describe("the response to an import counts events, and omits zeros:", () => {
  test.for([
    ["an event", [accepted("response", NOON)], { importedCount: "1" }],
    ["events of several types", [accepted("response", NOON), delivered("response")], { importedCount: "2" }],
    ["a repeated event", [delivered("response"), delivered("response")], { importedCount: "2" }],
    ["a device that did not opt in", [optedOut("response")], { optedOutCount: "1" }],
    [
      "both",
      [optedOut("response"), accepted("response", NOON), optedOut("response")],
      { importedCount: "1", optedOutCount: "2" },
    ],
    ["no event", [], {}],
  ] as const)("%s", async ([_, events, expected], { server, editor }) => {
    const { status, headers, text } = await postEvents(server, editor, ndjson(events));
    expect([status, JSON.parse(text)]).toEqual([200, expected]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  });
});

describe("an import accepts every JSON form of a line:", () => {
  const line = JSON.stringify(accepted("forms", NOON));
  test.for([
    ["no line break at the end", line, "1"],
    ["CRLF", `${line}\r\n${line}\r\n`, "2"],
    ["blank lines", `\n${line}\n \n\n${line}\n\n`, "2"],
    ["spaces", `  ${line.replaceAll(":", " : ").replace(/12 : 00 : 00-08 : 00/, "12:00:00-08:00")}  \n`, "1"],
    [
      "proto names",
      '{"app_id":"forms","message_id":"p","event_time":"2026-01-02T20:00:00Z","event_type":"STORED"}',
      "1",
    ],
    [
      "numbers for types, and nulls for absent fields",
      '{"appId":"forms","messageId":"n","eventTime":"2026-01-02T20:00:00Z","eventType":2,"notification":null}',
      "1",
    ],
    [
      "escapes and other scripts",
      '{"appId":"forms","messageId":"\\u00e9\\ud83d\\ude00 ж","eventTime":"2026-01-02t20:00:00.1234567z","eventType":"STORED"}',
      "1",
    ],
    ["a line of the maximum length", line.padEnd(8192), "1"],
  ] as const)("%s", async ([_, body, importedCount], { server, editor }) => {
    const { status, text } = await postEvents(server, editor, body);
    expect([status, JSON.parse(text)]).toEqual([200, { importedCount }]);
  });
});

describe("an import accepts the encoding:", () => {
  const half = (appId: string, label: string): Buffer =>
    Buffer.from(ndjson(Array.from({ length: 3000 }, () => accepted(appId, NOON, label))));
  test.for([
    ["identity", "identity", (bytes: Buffer) => bytes],
    ["gzip", "gzip", (bytes: Buffer) => gzipSync(bytes)],
    [
      "gzip-members",
      "GZIP",
      (bytes: Buffer) =>
        Buffer.concat([gzipSync(bytes.subarray(0, 70_001)), gzipSync(bytes.subarray(70_001))]),
    ],
    ["zstd", "zstd", (bytes: Buffer) => zstdOf(bytes)],
    [
      "zstd-frames",
      "zstd",
      (bytes: Buffer) => Buffer.concat([zstdOf(bytes.subarray(0, 70_001)), zstdOf(bytes.subarray(70_001))]),
    ],
  ] as const)("%s", async ([appId, coding, encode], { server, editor, counts }) => {
    const body = encode(Buffer.concat([half(appId, "one"), half(appId, "two")]));
    const { status, text } = await postEvents(server, editor, body, {
      headers: { "content-encoding": coding },
    });
    expect([status, JSON.parse(text)]).toEqual([200, { importedCount: "6000" }]);
    const expected = { one: 3000, two: 3000 };
    expect(await counts(appId, expected)).toEqual(expected);
  });

  test("chunked, with a charset parameter in the media type", async ({ server, editor, counts }) => {
    const { status } = await postEvents(server, editor, half("chunked", "x"), {
      headers: { "transfer-encoding": "chunked", "content-type": "Application/X-NDJSON; charset=utf-8" },
    });
    expect(status).toBe(200);
    expect(await counts("chunked", { x: 3000 })).toEqual({ x: 3000 });
  });
});

test("an import accepts the project id and the project number", async ({ server, editor, counts }) => {
  for (const project of [PROJECT.id, PROJECT.number]) {
    await postEvents(server, editor, ndjson([accepted("addressed", NOON)]), { project });
  }
  expect(await counts("addressed", { "": 2 })).toEqual({ "": 2 });
});

test("repeating an event changes no count, within one request or across requests", async ({
  server,
  editor,
  counts,
}) => {
  const request = ndjson([accepted("again", NOON, "a"), accepted("again", NOON, "b"), delivered("again")]);
  for (const body of [request, request + request, request]) {
    expect((await postEvents(server, editor, body)).status).toBe(200);
  }
  // Imported last: when it is listed, earlier changes are too.
  await postEvents(server, editor, ndjson([accepted("again", NOON, "last")]));
  const expected = { a: 1, b: 1, last: 1 };
  expect(await counts("again", expected)).toEqual(expected);
});

test("a late event updates a listed day", async ({ server, editor }) => {
  const message = { ...accepted("late", NOON), messageId: "m" };
  await postEvents(server, editor, ndjson([message]));
  const delivery = (expected: number) =>
    entriesOnceThey(server, editor, "late", ([entry]) => deliveredOf(entry?.data) === expected);
  expect((await delivery(0)).map(({ data }) => deliveredOf(data))).toEqual([0]);
  await postEvents(server, editor, ndjson([delivered("late")]));
  expect((await delivery(100)).map(({ data }) => deliveredOf(data))).toEqual([100]);
});

function deliveredOf(data: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const percents = data?.messageOutcomePercents as { readonly delivered?: number } | undefined;
  return percents && (percents.delivered ?? 0);
}

test("a day is not listed before it has ended, or if it only has events without ACCEPTED or from devices without opt-in", async ({
  server,
  editor,
  counts,
}) => {
  const tomorrow = new Date(Date.now() + 48 * 60 * 60 * 1000).toISOString();
  await postEvents(
    server,
    editor,
    ndjson([
      accepted("unlisted", tomorrow),
      delivered("unlisted", "an orphan"),
      optedOut("unlisted"),
      accepted("listed", NOON),
    ]),
  );
  // This day is listed together with the orphan's.
  expect(await counts("listed", { "": 1 })).toEqual({ "": 1 });
  expect(await entriesOf(server, editor, "unlisted")).toEqual([]);
});
