import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOf, entriesOnceThey, importInto, ndjson, postEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { it, test } from "../support/servers/fixtures.js";
import { BASE_CONFIG } from "../support/servers/project.js";
import { zstdOf } from "../support/zstd.js";

const NOON = "2025-06-02T12:00:00-07:00";
const MAX_LINE = 512;
const MAX_REQUEST = 100_000;

test.override("config", {
  ...BASE_CONFIG,
  messagingData: { import: { maxLineBytes: MAX_LINE, maxRequestBytes: MAX_REQUEST } },
});

const GOOD = accepted("kept-out", NOON);
const good = (over: object): string => JSON.stringify({ ...GOOD, ...over });

/** Invalid lines, each sent among valid ones; nothing of the request may be stored. */
describe("an import is rejected, with the line number, for", () => {
  test.for([
    ["not JSON", "{", "lines[2]"],
    ["two values", `${good({})} ${good({})}`, "lines[2]"],
    ["an array", "[]", "lines[2]"],
    ["a string", '"x"', "lines[2]"],
    ["null", "null", "lines[2]"],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "lines[2]"],
    ["a byte order mark", `\ufeff${good({})}`, "lines[2]"],
    ["a repeated field", good({}).replace("{", '{"appId":"x",'), "lines[2]"],
    ["a field under both names", good({ app_id: "x" }), "lines[2].app_id"],
    ["an unknown field", good({ extra: 1 }), "lines[2].extra"],
    ["an unknown type", good({ eventType: "LOST" }), "lines[2].eventType"],
    ["the unspecified type", good({ eventType: "EVENT_TYPE_UNSPECIFIED" }), "lines[2].eventType"],
    ["a type in another case", good({ eventType: "accepted" }), "lines[2].eventType"],
    ["a type that is out of range", good({ eventType: 999 }), "lines[2].eventType"],
    ["no app", good({ appId: undefined }), "lines[2].appId"],
    ["an empty app", good({ appId: "" }), "lines[2].appId"],
    ["an app with a slash", good({ appId: "a/b" }), "lines[2].appId"],
    ["an app with a control character", good({ appId: "a\u0007" }), "lines[2].appId"],
    ["an app that is too long", good({ appId: "x".repeat(257) }), "lines[2].appId"],
    ["an app that is a number", good({ appId: 1 }), "lines[2].appId"],
    ["no message", good({ messageId: undefined }), "lines[2].messageId"],
    ["a message id that is too long", good({ messageId: "x".repeat(257) }), "lines[2].messageId"],
    ["half a surrogate pair", good({}).replace(/"messageId":"/, "$&\\ud800"), "lines[2].messageId"],
    ["no time", good({ eventTime: undefined }), "lines[2].eventTime"],
    ["a time without offset", good({ eventTime: "2025-06-02T12:00:00" }), "lines[2].eventTime"],
    ["a day that does not exist", good({ eventTime: "2025-02-29T12:00:00Z" }), "lines[2].eventTime"],
    ["a time as a number", good({ eventTime: 1_700_000_000 }), "lines[2].eventTime"],
    ["a year outside the range of Date", good({ eventTime: "0000-06-01T00:00:00Z" }), "lines[2].eventTime"],
    ["no type", good({ eventType: undefined }), "lines[2].eventType"],
    ["a label with a space", good({ analyticsLabel: "a b" }), "lines[2].analyticsLabel"],
    ["a label that is too long", good({ analyticsLabel: "x".repeat(51) }), "lines[2].analyticsLabel"],
    ["a label in another script", good({ analyticsLabel: "é" }), "lines[2].analyticsLabel"],
    ["a notification flag as a string", good({ notification: "true" }), "lines[2].notification"],
    ["an opt-in as a number", good({ usageReportingOptIn: 1 }), "lines[2].usageReportingOptIn"],
    ["a line that is too long", good({}).padEnd(MAX_LINE + 1), "lines[2]"],
  ] as const)("%s", async ([_, line, field], { server, editor }) => {
    const body = Buffer.concat(
      [ndjson([GOOD]), line, `\n${ndjson([GOOD])}`].map((part) => Buffer.from(part)),
    );
    const { status, text } = await postEvents(server, editor, body);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({
      status: "INVALID_ARGUMENT",
      reason: "INVALID_MESSAGE_EVENTS",
      metadata: { invalidLineCount: "1", lineCount: "3" },
      fields: [field],
    });
  });

  it("several invalid fields in one line", async ({ server, editor }) => {
    const lines = Array.from({ length: 20 }, () => good({}));
    lines[16] = good({ eventType: "LOST", eventTime: "now" });
    const { text } = await postEvents(server, editor, lines.join("\n"));
    expect(errorOf(text).fields.sort()).toEqual(["lines[17].eventTime", "lines[17].eventType"]);
  });

  it("many invalid lines, with the first hundred of them and the number of all", async ({
    server,
    editor,
  }) => {
    const lines = Array.from({ length: 500 }, (_, index) => (index % 2 === 0 ? good({}) : "{}"));
    const { text } = await postEvents(server, editor, lines.join("\n"));
    const { fields, metadata, message } = errorOf(text);
    expect(fields).toHaveLength(100);
    expect(metadata).toEqual({
      invalidLineCount: "250",
      lineCount: "500",
      field: "lines[2].appId",
      description: "is required",
    });
    expect(message).toContain("250 of 500 lines");
  });
});

describe("an import", () => {
  const line = `${good({})}\n`;
  const packed = gzipSync(line.repeat(50));
  const corrupt = Buffer.from(packed);
  corrupt.fill(0xaa, 20, 40);
  const many = line.repeat(Math.ceil(MAX_REQUEST / line.length) + 1);
  const frame = zstdOf(Buffer.from(line));
  test.for([
    ["another content type", { "content-type": "application/json" }, line, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["an empty content type", { "content-type": "" }, line, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["an unknown encoding", { "content-encoding": "br" }, line, 415, undefined],
    ["two encodings", { "content-encoding": "gzip, zstd" }, line, 415, undefined],
    ["too large", {}, many, 413, "REQUEST_TOO_LARGE"],
    ["too large in chunks", { "transfer-encoding": "chunked" }, many, 413, "REQUEST_TOO_LARGE"],
    [
      "too large after decompression",
      { "content-encoding": "gzip" },
      gzipSync(many),
      413,
      "REQUEST_TOO_LARGE",
    ],
    [
      "too large in zstd",
      { "content-encoding": "zstd" },
      zstdOf(Buffer.from(many)),
      413,
      "REQUEST_TOO_LARGE",
    ],
    ["a body that is not gzip", { "content-encoding": "gzip" }, line, 400, undefined],
    ["truncated gzip", { "content-encoding": "gzip" }, packed.subarray(0, -9), 400, undefined],
    ["damaged gzip", { "content-encoding": "gzip" }, corrupt, 400, undefined],
    ["no gzip at all", { "content-encoding": "gzip" }, "", 400, undefined],
    ["a body that is not zstd", { "content-encoding": "zstd" }, line, 400, undefined],
    ["truncated zstd", { "content-encoding": "zstd" }, frame.subarray(0, -3), 400, undefined],
    [
      "a zstd window of 2 GiB",
      { "content-encoding": "zstd" },
      zstdOf(Buffer.from(line), { windowExponent: 21 }),
      400,
      undefined,
    ],
  ] as const)("is rejected: %s", async ([_, headers, body, expectedStatus, reason], { server, editor }) => {
    const { status, text } = await postEvents(server, editor, body, { headers });
    expect(status).toBe(expectedStatus);
    const error = errorOf(text);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", domain: "messaging-data.waybill" });
    if (reason !== undefined) expect(error.reason).toBe(reason);
    expect(error.message).toMatch(/\w+.*[.:]/);
  });

  test.for(["?pageSize=1", "?events=x", "?parent=projects/other"])(
    "is rejected with the query %s",
    async (query, { server, editor }) => {
      const { status, text } = await send(server.messagingDataUrl, importInto() + query, {
        method: "POST",
        token: editor,
        headers: { "content-type": "application/x-ndjson" },
        body: line,
      });
      expect([status, errorOf(text).status]).toEqual([400, "INVALID_ARGUMENT"]);
    },
  );

  it("is accepted up to the maximum size", async ({ server, editor }) => {
    const whole = `${JSON.stringify(accepted("just-fits", NOON))}\n`;
    const body = whole.repeat(Math.floor(MAX_REQUEST / whole.length)).padEnd(MAX_REQUEST);
    expect((await postEvents(server, editor, body)).status).toBe(200);
  });
});

it("rejected imports store nothing", async ({ server, editor }) => {
  await postEvents(server, editor, ndjson([accepted("control", NOON)]));
  await entriesOnceThey(server, editor, "control", ({ length }) => length === 1);
  expect(await entriesOf(server, editor, "kept-out")).toEqual([]);
});

describe("an import that skips invalid lines", () => {
  const SKIPPING = `${importInto()}?skipInvalid=true`;
  const options = (token: string, body: string) => ({
    method: "POST",
    token,
    headers: { "content-type": "application/x-ndjson" },
    body: Buffer.from(body),
  });

  test("stores the valid ones, and counts and lists the others", async ({ server, editor }) => {
    const event = (over: object = {}) => JSON.stringify({ ...accepted("skipping", NOON), ...over });
    const lines = [event(), "{", "", event({ analyticsLabel: "a b", eventType: "SEEN" }), event()];
    const { status, text } = await send(server.messagingDataUrl, SKIPPING, options(editor, lines.join("\n")));
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        importedCount: "2",
        invalidCount: "2",
        invalidLines: [
          { line: 2, description: "is not JSON: each line is one event as a JSON object" },
          { line: 4, field: "eventType", description: "is not a type of event: SEEN" },
          { line: 4, field: "analyticsLabel", description: expect.stringMatching(/: a b$/) },
        ],
      },
    ]);
    const [entry] = await entriesOnceThey(server, editor, "skipping", ({ length }) => length === 1);
    expect(entry?.data).toMatchObject({ countMessagesAccepted: "2" });
    const metrics = await send(server.adminUrl, "/metrics");
    expect(metrics.text).toMatch(/^waybill_imported_events_total\{result="invalid"\} 2$/m);
  });

  test("lists the first 100 violations if there are more", async ({ server, editor }) => {
    const { status, text } = await send(
      server.messagingDataUrl,
      SKIPPING,
      options(editor, "{\n".repeat(5_000)),
    );
    const response = JSON.parse(text) as { invalidCount: string; invalidLines: { line: number }[] };
    expect([status, response.invalidCount]).toEqual([200, "5000"]);
    expect(response.invalidLines.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
  });

  test.for([
    ["false", "INVALID_MESSAGE_EVENTS"],
    ["maybe", "INVALID_PARAMETER"],
  ])("requires skipInvalid to be true, not %s", async ([value, reason], { server, editor }) => {
    const target = `${importInto()}?skipInvalid=${value}`;
    const { status, text } = await send(server.messagingDataUrl, target, options(editor, "{\n"));
    expect([status, errorOf(text).reason]).toEqual([400, reason]);
  });
});
