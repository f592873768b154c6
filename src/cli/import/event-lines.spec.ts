import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryDuckDb } from "../../../test/support/data/duckdb.js";
import { fileDirectory } from "../../../test/support/test-directory.js";
import { simulateTraffic } from "../../simulator/simulate-traffic.js";
import { type NaiveEvent, naiveRollup } from "../../store/testing/naive-rollup.js";
import { eventLines } from "./event-lines.js";
import { type EventMap, eventMapSchema } from "./event-map.js";
import { FORMATS, type LogFormat } from "./formats.js";
import type { RowUnit } from "./row.js";
import { SourceError } from "./row.js";
import { columnsOf, RowMapper } from "./row-mapper.js";
import { RowReport, violationText } from "./row-report.js";
import { rowsIn } from "./rows/rows-in.js";

const LOG = eventMapSchema.parse({
  appId: { value: "app" },
  messageId: { columns: ["id"] },
  eventTime: { column: "at", format: "iso" },
  eventType: { column: "outcome", values: { ok: "DELIVERED", no: "drop" } },
  usageReportingOptIn: { value: true },
});
const directory = fileDirectory();

async function* chunksOf(content: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

interface Result {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

interface Options {
  /** Bytes of each chunk. */
  readonly size?: number;
  readonly file?: string;
  readonly layouts?: LogFormat["layouts"];
}

/** Maps a whole file. @throws Error with the command's message for a rejected file. */
async function linesOf(
  map: EventMap,
  content: string | Buffer,
  { size = 1000, file = "file", layouts }: Options = {},
): Promise<Result> {
  const names = columnsOf(map);
  const report = new RowReport(names);
  let unit: RowUnit = "line";
  let text = "";
  try {
    const found = await rowsIn(file, chunksOf(Buffer.from(content), size), { names, layouts });
    unit = found.unit;
    for await (const chunk of eventLines(found.rows, new RowMapper(map), report))
      text += Buffer.from(chunk).toString();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const violation = { line: error.line, field: "", description: error.message };
    throw new Error(violationText(violation, { unit, map }));
  }
  return { lines: text.split("\n"), notes: report.notes() };
}

/** Line numbers with event ids. */
const placesOf = ({ lines }: Result): object =>
  Object.fromEntries(
    lines.flatMap((line, index) =>
      line === "" ? [] : [[index + 1, (JSON.parse(line) as NaiveEvent).messageId]],
    ),
  );

const AT = "2025-06-02T16:00:00Z";
const json = (id: string, outcome = "ok"): string => JSON.stringify({ id, at: AT, outcome, more: "é" });

it.each<[string, string, object]>([
  [
    "JSON lines",
    `${json("a")}\n${json("b", "no")}\n\n${json("c")}\r\n${json("d")}`,
    { 1: "a", 4: "c", 5: "d" },
  ],
  ["JSON lines after a byte order mark", `\ufeff\n${json("a")}\n`, { 2: "a" }],
  ["CSV", `more,outcome,at,id\né,ok,${AT},a\né,no,${AT},b\n\né,ok,${AT},c`, { 2: "a", 5: "c" }],
  [
    "CSV with quotes and line breaks",
    `\ufeffid,outcome,at,more\r\n"a ""1"", or\n2",ok,${AT},"x\r\ny"\r\n"b",ok,${AT},\r\n`,
    { 2: 'a "1", or\n2', 5: "b" },
  ],
  [
    "CSV with mixed line ends",
    `id,outcome,at\na,ok,${AT}\r\n\r\n"b\r",ok,${AT}\nc,ok,${AT}\rd,ok,${AT}\r`,
    { 2: "a", 4: "b\r", 5: "c", 6: "d" },
  ],
  ["an empty file", "", {}],
  ["only a header", "id,outcome,at\n", {}],
])("eventLines keeps the line numbers of %s, in chunks of any size", async (_name, content, places) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 80 }), async (size) => {
      expect(placesOf(await linesOf(LOG, content, { size }))).toEqual(places);
    }),
    { numRuns: 20 },
  );
});

it("eventLines counts dropped rows, and names columns that are empty in all rows", async () => {
  const dropped = [...Array(40).keys()].map((i) => JSON.stringify({ id: i, at: AT, outcome: "no" }));
  const { notes } = await linesOf(LOG, [json("a"), ...dropped, ...dropped].join("\n"));
  expect(notes).toEqual(["80 of 81 rows dropped (outcome no: 80)"]);
  const many = { ...LOG, only: { app: ["a"] } };
  const rows = [...Array(40).keys()].map((i) => JSON.stringify({ id: i, at: AT, outcome: "ok", app: i }));
  expect((await linesOf(many, rows.join("\n"))).notes[0]).toMatch(
    /^40 of 40 rows dropped \(other reasons: 10, app 0: 1/,
  );
  expect((await linesOf(many, json("a"))).notes).toEqual([
    "1 of 1 rows dropped (app empty: 1)",
    "no row has app",
  ]);
});

const HEADER = "id,outcome,at\n";
const ARRAY = "line 1: is an array; write its objects one per line, as jq -c '.[]' does";
const NOT_LINES =
  "is neither JSON lines nor a complete response from BigQuery; write each object on one line";

it.each<[string, string | Buffer, string]>([
  ["a line that is not JSON", `${json("a")}\n{"id":\n`, "line 2: is not JSON"],
  ["a number among JSON lines", `${json("a")}\n7`, "line 2: is not a JSON object"],
  ["a JSON array", "[{}]", ARRAY],
  ["a JSON array over many lines", JSON.stringify([{ id: "a" }, { id: "b" }], undefined, 2), ARRAY],
  ["a JSON array after blank lines", `\n\n[\n{"id":"a"}\n]\n`, ARRAY.replace("1", "3")],
  ["a JSON object over many lines", JSON.stringify({ id: "a" }, undefined, 2), NOT_LINES],
  ["half of a BigQuery response", '{"kind":"bigquery#tableDataList","rows":[', NOT_LINES],
  ["a BigQuery row without a schema", '{"f":[{"v":"a"}]}', "line 1: has 1 values without names"],
  [
    "a BigQuery response without a column",
    JSON.stringify({ kind: "bigquery#x", schema: { fields: [{ name: "id", type: "STRING" }] }, rows: [] }),
    "has no columns at, outcome; it has id",
  ],
  ["a repeated CSV column", `id,outcome,outcome,at\na,ok,no,${AT}\n`, "has the column outcome twice"],
  ["a time that does not exist", `${HEADER}a,ok,2025-02-30T16:00:00Z\n`, "line 2: at has a day, hour, "],
  ["a long line of JSON", `{"id":"${"x".repeat(2 ** 20)}"}`, "line 1: is longer than 1 MiB"],
  ["a long line of CSV", `${HEADER}${"x".repeat(2 ** 21)}`, "line 2: is longer than 1 MiB"],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff]), "is not UTF-8 at line 1 or soon after"],
  [
    "half a character at the end",
    Buffer.concat([Buffer.from(`${json("a")}\n`), Buffer.from([0xc3])]),
    "is not UTF-8 at line 2 or soon after",
  ],
  ["a missing column", "id,when\n1,2\n", "has no columns at, outcome; it has id, when"],
  ["a row with too few values", `${HEADER}a,ok\n`, "line 2: has more or fewer values than the header"],
  ["quotes that do not end", `${HEADER}a,ok,${AT}\n"b,ok\n`, "the file ends within quotes"],
  ["a quote within a value", `${HEADER}a"b,ok,${AT}\n`, "line 2: has a quote that CSV does not allow"],
  ["a value that does not fit", `${HEADER}"a\nb",ok,${AT}\nc,maybe,${AT}\n`, "line 4: outcome has a value"],
  ["Parquet under another name", "PAR1\u0000", "has no columns"],
])("eventLines rejects %s", async (_name, content, message) => {
  await expect(linesOf(LOG, content, { size: 65_536 })).rejects.toThrow(message);
});

describe("eventLines of a Parquet file", () => {
  async function parquet(select: string): Promise<string> {
    const file = join(directory, "log.parquet");
    // The time zone is the one of casts to TIMESTAMPTZ.
    await queryDuckDb(`SET TimeZone = 'UTC'; COPY (${select}) TO '${file}' (FORMAT parquet)`);
    return file;
  }
  const NOON = "TIMESTAMP '2025-06-02 16:00:00.123456'";

  it.each(["TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_MS", "TIMESTAMP_NS", "VARCHAR"])(
    "reads times of type %s, large numbers and nulls",
    async (type) => {
      const time = type === "VARCHAR" ? "'2025-06-02 16:00:00.123+00'" : NOON;
      const columns = `CAST(${time} AS ${type}) AS at, 1748970000123456789 + i AS id, 'ok' AS outcome`;
      const file = await parquet(`SELECT ${columns}, if(i = 1, NULL, 'a') AS kind FROM range(3) r(i)`);
      const map = { ...LOG, only: { kind: ["a"] } };
      const { lines, notes } = await linesOf(map, "", { file });
      expect(notes).toEqual(["1 of 3 rows dropped (kind empty: 1)"]);
      const [first, , third] = lines.map((line) => line && (JSON.parse(line) as NaiveEvent));
      expect(first).toMatchObject({ messageId: "1748970000123456789" });
      expect(third).toMatchObject({ messageId: "1748970000123456791" });
      const at = (first as NaiveEvent).eventTime;
      expect(new Date(at).toISOString()).toBe("2025-06-02T16:00:00.123Z");
    },
  );

  it("names the row with an invalid time", async () => {
    const file = await parquet(
      `SELECT i AS id, if(i = 5000, 'noon', '${AT}') AS at, 'ok' AS outcome FROM range(6000) r(i)`,
    );
    await expect(linesOf(LOG, "", { file })).rejects.toThrow(
      /^row 5001: at is not an ISO 8601 time with an offset: noon$/,
    );
  });

  it("rejects files that are not Parquet or lack a column", async () => {
    const none = join(directory, "none.parquet");
    await writeFile(none, "PAR1 and no more");
    await expect(linesOf(LOG, "", { file: none })).rejects.toThrow("cannot be read as Parquet: ");
    const file = await parquet(`SELECT ${NOON} AS at, 1 AS id`);
    await expect(linesOf(LOG, "", { file })).rejects.toThrow("has no column outcome; it has at, id");
  });
});

describe("eventLines of a BigQuery REST response", () => {
  const fields = [
    { name: "id", type: "STRING", mode: "NULLABLE" },
    { name: "at", type: "TIMESTAMP" },
    { name: "outcome", type: "STRING" },
  ];
  const row = (...values: readonly unknown[]) => ({ f: values.map((v) => ({ v })) });
  const SECOND = "2025-06-02T16:00:01.123Z";
  const response = {
    kind: "bigquery#queryResponse",
    schema: { fields },
    rows: [
      row("a", "1.748880001123E9", "ok"),
      row("b", "1748880001123000", "ok"),
      row("c", SECOND, "no"),
      row("d", "2025-06-02T16:00:01.123000000000Z", "ok"),
    ],
  };

  it.each([
    ["on one line", JSON.stringify(response)],
    ["as it is printed", JSON.stringify(response, undefined, 2)],
    ["in another order", JSON.stringify({ rows: response.rows, schema: response.schema }, undefined, 1)],
  ])("reads the response by its schema, %s", async (_name, content) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 80 }), async (size) => {
        const result = await linesOf(LOG, content, { size });
        expect(placesOf(result)).toEqual({ 1: "a", 2: "b", 4: "d" });
        for (const line of result.lines.filter(Boolean))
          expect(new Date((JSON.parse(line) as NaiveEvent).eventTime).toISOString()).toBe(SECOND);
        expect(result.notes).toEqual(["1 of 4 rows dropped (outcome no: 1)"]);
      }),
      { numRuns: 20 },
    );
  });

  it("accepts a response without rows", async () => {
    const { rows: _, ...empty } = response;
    expect((await linesOf(LOG, JSON.stringify(empty))).lines).toEqual([""]);
  });

  it("numbers rows from 1", async () => {
    const bad = { ...response, rows: [...response.rows, row("e", "noon", "ok")] };
    await expect(linesOf(LOG, JSON.stringify(bad, undefined, 2))).rejects.toThrow(
      "row 5: at is not an ISO 8601 time with an offset: noon",
    );
    await expect(linesOf(LOG, JSON.stringify({ ...response, rows: [{ id: "a" }] }))).rejects.toThrow(
      "row 1: is not a row such as ",
    );
  });

  /** Row values of Firebase Cloud Messaging's table, in their documented order. */
  const documented = [
    ...["1.748880001123E9", "123456789012", "0:17", "cX2m", "DISPLAY_NOTIFICATION", "ANDROID"],
    ...["com.example.shop", null, "10", "2419200", null, null, "MESSAGE_ACCEPTED", "summer"],
  ];
  const active = [...documented.slice(0, 12), "true", ...documented.slice(12)];
  const event = {
    appId: "com.example.shop",
    messageId: "0:17 cX2m",
    eventTime: SECOND,
    eventType: "ACCEPTED",
    analyticsLabel: "summer",
    notification: true,
    usageReportingOptIn: true,
  };

  it.each([
    [
      "rows on lines",
      `${JSON.stringify(row(...documented))}\n\n${JSON.stringify(row(...active))}\n`,
      [event, "", event, ""],
    ],
    [
      "a page of the table",
      JSON.stringify(
        { kind: "bigquery#tableDataList", rows: [row(...documented), row(...active)] },
        undefined,
        2,
      ),
      [event, event, ""],
    ],
  ])("reads %s without a schema, by the documented column order", async (_name, content, expected) => {
    const { map, layouts } = FORMATS["fcm-bigquery"];
    const { lines } = await linesOf(map, content, { layouts });
    expect(lines.map((line) => line && (JSON.parse(line) as unknown))).toEqual(expected);
  });

  it("rejects rows with a different number of values", async () => {
    const { map, layouts } = FORMATS["fcm-bigquery"];
    await expect(linesOf(map, JSON.stringify(row("a", "b")), { layouts })).rejects.toThrow(
      "line 1: has 2 values without names; import the whole response, with its schema",
    );
  });
});

it.each(["JSON lines", "CSV"])("eventLines keeps only a few chunks of %s in memory", async (format) => {
  const row = format === "CSV" ? `id,ok,${AT}\n` : `${json("id")}\n`;
  const chunk = Buffer.from(row.repeat(200));
  let pulled = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    if (format === "CSV") yield Buffer.from(HEADER);
    for (;;) {
      pulled++;
      yield chunk;
    }
  }
  const names = columnsOf(LOG);
  const { rows } = await rowsIn("-", endless(), { names });
  const lines = eventLines(rows, new RowMapper(LOG), new RowReport(names));
  let events = 0;
  for await (const some of lines) {
    events += Buffer.from(some).toString().split("\n").length - 1;
    expect(pulled - events / 200).toBeLessThan(60);
    if (events > 20_000) break;
  }
});

describe("an import of a simulated history in the format fcm-bigquery", () => {
  const EVENTS: Readonly<Record<string, string>> = {
    ACCEPTED: "MESSAGE_ACCEPTED",
    DELIVERED: "MESSAGE_DELIVERED",
  };
  type Export = Readonly<Record<string, string>>;

  /** Export rows: only two of the event types, with other rows in between. */
  function exported(events: readonly NaiveEvent[]): Export[] {
    const numbers = new Map<string, number>();
    return events.flatMap((event) => {
      const key = `${event.appId} ${event.messageId}`;
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      const type = EVENTS[event.eventType];
      if (type === undefined) return [];
      const row = {
        event_timestamp: new Date(event.eventTime).toISOString().replace("T", " ").replace("Z", " UTC"),
        // Two instances share each id.
        message_id: `0:${Math.floor(number / 2)}`,
        instance_id: `i${number % 2}`,
        message_type: event.notification === true ? "DISPLAY_NOTIFICATION" : "DATA_MESSAGE",
        sdk_platform: "ANDROID",
        app_name: event.appId,
        event: type,
        analytics_label: event.analyticsLabel ?? "",
      };
      const others = [
        { ...row, instance_id: "i2", sdk_platform: "IOS" },
        { ...row, instance_id: "i3", event: "INVALID_TTL" },
        { ...row, message_id: "", instance_id: "", message_type: "TOPIC" },
      ];
      return [row, ...(number % 5 === 0 ? others : [])];
    });
  }

  /** Delivery figures that an export contains. */
  const figuresOf = (events: readonly NaiveEvent[]) =>
    naiveRollup(events).map(({ counts, percents: _, ...entry }) => ({
      ...entry,
      delivered: counts.messageOutcomePercents?.delivered,
    }));

  it.each(["json", "csv"])(
    "has the same numbers of accepted and delivered messages, from %s",
    async (container) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 1000 }), async (seed) => {
          const options = {
            apps: ["a", "b"],
            startDay: "2025-03-08",
            days: 3,
            messages: 300,
            labels: 3,
            seed,
          };
          const events = [...simulateTraffic(options)]
            .flatMap((text) => text.split("\n"))
            .filter(Boolean)
            // The export does not show which devices have opted in.
            .map((line) => ({ ...(JSON.parse(line) as NaiveEvent), usageReportingOptIn: true }));
          const rows = exported(events);
          const content =
            container === "json"
              ? rows.map((row) => JSON.stringify(row)).join("\n")
              : stringify(rows, { header: true });
          const { lines } = await linesOf(FORMATS["fcm-bigquery"].map, content);
          const imported = lines.filter(Boolean).map((line) => JSON.parse(line) as NaiveEvent);
          const figures = figuresOf(imported);
          expect(figures).toEqual(figuresOf(events));
          expect(figures.some(({ delivered = 0 }) => delivered > 0)).toBe(true);
        }),
        { numRuns: 3 },
      );
    },
  );
});
