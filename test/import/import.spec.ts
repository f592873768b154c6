import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { accepted } from "../support/delivery-data.js";
import { countsByLabel, entriesOf, entriesOnceThey, ndjson, postEvents } from "../support/import.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import { EDITOR, PROJECT } from "../support/waybill.js";
import { zstdOf } from "../support/zstd.js";

const NOON = "2026-01-02T12:00:00-08:00";

let server: OpenServer;
let token: string;
beforeAll(async () => {
  server = await openServer();
  token = await server.token(EDITOR);
});
afterAll(() => server.close());

/** Counts of an app by label, once they are as expected. */
async function counts(appId: string, expected: Record<string, number>): Promise<Record<string, number>> {
  const read = (entries: Parameters<typeof countsByLabel>[0]) => Object.fromEntries(countsByLabel(entries));
  return read(
    await entriesOnceThey(server, token, appId, (entries) => isDeepStrictEqual(read(entries), expected)),
  );
}

const optedOut = (appId: string): object => ({ ...accepted(appId, NOON), usageReportingOptIn: false });
const delivered = (appId: string, messageId = "m"): object => ({
  appId,
  messageId,
  eventTime: NOON,
  eventType: "DELIVERED",
});

describe("the answer to an import counts events and omits zeros", () => {
  test.each([
    ["an event", [accepted("answer", NOON)], { importedCount: "1" }],
    ["events of several types", [accepted("answer", NOON), delivered("answer")], { importedCount: "2" }],
    ["an event twice", [delivered("answer"), delivered("answer")], { importedCount: "2" }],
    ["a device that did not opt in", [optedOut("answer")], { optedOutCount: "1" }],
    [
      "both",
      [optedOut("answer"), accepted("answer", NOON), optedOut("answer")],
      { importedCount: "1", optedOutCount: "2" },
    ],
    ["no event", [], {}],
  ])("%s", async (_, events, expected) => {
    const { status, headers, text } = await postEvents(server, token, ndjson(events));
    expect([status, JSON.parse(text)]).toEqual([200, expected]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  });
});

describe("an import accepts any JSON form of a line", () => {
  const line = JSON.stringify(accepted("forms", NOON));
  test.each([
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
      "numbers of types, nulls for absent",
      '{"appId":"forms","messageId":"n","eventTime":"2026-01-02T20:00:00Z","eventType":2,"notification":null}',
      "1",
    ],
    [
      "escapes and other scripts",
      '{"appId":"forms","messageId":"\\u00e9\\ud83d\\ude00 ж","eventTime":"2026-01-02t20:00:00.1234567z","eventType":"STORED"}',
      "1",
    ],
    ["a line of the longest allowed", line.padEnd(8192), "1"],
  ])("%s", async (_, body, importedCount) => {
    const { status, text } = await postEvents(server, token, body);
    expect([status, JSON.parse(text)]).toEqual([200, { importedCount }]);
  });
});

describe("an import accepts the encoding", () => {
  const half = (appId: string, label: string): Buffer =>
    Buffer.from(ndjson(Array.from({ length: 3000 }, () => accepted(appId, NOON, label))));
  test.each([
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
  ])("%s", async (appId, coding, encode) => {
    const body = encode(Buffer.concat([half(appId, "one"), half(appId, "two")]));
    const { status, text } = await postEvents(server, token, body, {
      headers: { "content-encoding": coding },
    });
    expect([status, JSON.parse(text)]).toEqual([200, { importedCount: "6000" }]);
    const expected = { one: 3000, two: 3000 };
    expect(await counts(appId, expected)).toEqual(expected);
  });

  it("chunked, with a charset parameter in the media type", async () => {
    const { status } = await postEvents(server, token, half("chunked", "x"), {
      headers: { "transfer-encoding": "chunked", "content-type": "Application/X-NDJSON; charset=utf-8" },
    });
    expect(status).toBe(200);
    expect(await counts("chunked", { x: 3000 })).toEqual({ x: 3000 });
  });
});

it("an import accepts the project's id and number", async () => {
  for (const project of [PROJECT.id, PROJECT.number]) {
    await postEvents(server, token, ndjson([accepted("addressed", NOON)]), { project });
  }
  expect(await counts("addressed", { "": 2 })).toEqual({ "": 2 });
});

it("repeated events change no count, within one request or across requests", async () => {
  const request = ndjson([accepted("again", NOON, "a"), accepted("again", NOON, "b"), delivered("again")]);
  for (const body of [request, request + request, request]) {
    expect((await postEvents(server, token, body)).status).toBe(200);
  }
  // Imported last: when it is listed, earlier changes are too.
  await postEvents(server, token, ndjson([accepted("again", NOON, "last")]));
  const expected = { a: 1, b: 1, last: 1 };
  expect(await counts("again", expected)).toEqual(expected);
});

it("a late event updates a listed day", async () => {
  const message = { ...accepted("late", NOON), messageId: "m" };
  await postEvents(server, token, ndjson([message]));
  const delivery = (expected: number) =>
    entriesOnceThey(server, token, "late", ([entry]) => deliveredOf(entry?.data) === expected);
  expect((await delivery(0)).map(({ data }) => deliveredOf(data))).toEqual([0]);
  await postEvents(server, token, ndjson([delivered("late")]));
  expect((await delivery(100)).map(({ data }) => deliveredOf(data))).toEqual([100]);
});

function deliveredOf(data: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const percents = data?.messageOutcomePercents as { readonly delivered?: number } | undefined;
  return percents && (percents.delivered ?? 0);
}

it("a day is not listed before its end, nor for orphans and opted-out devices alone", async () => {
  const tomorrow = new Date(Date.now() + 48 * 60 * 60 * 1000).toISOString();
  await postEvents(
    server,
    token,
    ndjson([
      accepted("unlisted", tomorrow),
      delivered("unlisted", "an orphan"),
      optedOut("unlisted"),
      accepted("listed", NOON),
    ]),
  );
  // Listed together with the day of the orphan.
  expect(await counts("listed", { "": 1 })).toEqual({ "": 1 });
  expect(await entriesOf(server, token, "unlisted")).toEqual([]);
});
