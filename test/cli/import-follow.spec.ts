import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { stringify } from "yaml";
import { queryDuckDb } from "../support/data/duckdb.js";
import { entriesOnceThey } from "../support/data/import.js";
import { respond } from "../support/http/recorder.js";
import { poll } from "../support/poll.js";
import { eventsOf, linesOf, ONE_LINE, printed, test } from "../support/servers/following.js";
import { zstdOf } from "../support/zstd.js";

test("waybill import --follow imports complete files as they appear, and moves them", async ({
  add,
  directory,
  editor,
  follow,
  moved,
  server,
}) => {
  add("1.ndjson", eventsOf("follow", 1));
  writeFileSync(join(directory, "unfinished.ndjson.part"), eventsOf("follow", 100));
  const { process, exited, output } = follow();
  await moved("imported", "1.ndjson");
  add("2.ndjson.gz", gzipSync(eventsOf("follow", 2)));
  add("3.ndjson.zst", zstdOf(Buffer.from(eventsOf("follow", 4))));
  await moved("imported", "2.ndjson.gz", "3.ndjson.zst");
  add("1.ndjson", eventsOf("follow", 8));
  await moved("imported", "1.2.ndjson");
  process.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  expect(readdirSync(directory).toSorted()).toEqual(["imported", "unfinished.ndjson.part"]);
  expect(output()).toContain(`${join(directory, "2.ndjson.gz")}: 2 events imported, 0 opted out\n`);
  const entries = await entriesOnceThey(server, editor, "follow", ([entry]) => {
    return entry?.data.countMessagesAccepted === "15";
  });
  expect(entries).toHaveLength(1);
});

test("waybill import --follow imports Parquet files", async ({
  add,
  directory,
  editor,
  follow,
  moved,
  server,
}) => {
  const map = {
    appId: { value: "parquet" },
    messageId: { columns: ["id"] },
    eventTime: { column: "at", format: "iso" },
    eventType: { column: "type" },
    usageReportingOptIn: { value: true },
  };
  writeFileSync(join(directory, ".map.yaml"), stringify(map));
  const file = join(directory, "log.part");
  await queryDuckDb(
    `COPY (SELECT i AS id, '2025-06-02T19:00:00Z' AS at, 'ACCEPTED' AS type FROM range(300) r(i)) TO '${file}' (FORMAT parquet)`,
  );
  add("log.parquet", readFileSync(file));
  follow(["--map", join(directory, ".map.yaml")]);
  await moved("imported", "log.parquet");
  const entries = await entriesOnceThey(server, editor, "parquet", ([entry]) => {
    return entry?.data.countMessagesAccepted === "300";
  });
  expect(entries).toHaveLength(1);
});

test("waybill import --follow moves files with invalid content aside, with the reason, and continues", async ({
  add,
  directory,
  follow,
  moved,
}) => {
  add("1.ndjson", `${eventsOf("rejected", 1)}{"appId":"rejected"}\n`);
  add("2.ndjson.zst", "this is not zstd");
  add("3.ndjson", eventsOf("rejected", 1));
  follow();
  await moved("imported", "3.ndjson");
  expect(await moved("rejected", "2.ndjson.zst.error.txt")).toEqual([
    "1.ndjson",
    "1.ndjson.error.txt",
    "2.ndjson.zst",
    "2.ndjson.zst.error.txt",
  ]);
  const reason = (name: string): string => readFileSync(join(directory, "rejected", name), "utf8");
  expect(reason("1.ndjson.error.txt")).toContain("line 2: messageId");
  expect(reason("2.ndjson.zst.error.txt")).toContain("is not a complete zstd file");
});

test("waybill import --follow continues a file after the last acknowledged request, even after kill -9", async ({
  add,
  directory,
  follow,
  moved,
  recorder,
}) => {
  const lines = linesOf("killed", 6);
  add("killed.ndjson", lines.join(""));
  const { process, exited } = follow(ONE_LINE, recorder.url);
  const acknowledged = lines.slice(0, 2);
  for (const line of acknowledged)
    respond((await recorder.withBody(line)).response, 200, { importedCount: "1" });
  await recorder.next(4);
  process.kill("SIGKILL");
  await exited;
  follow(ONE_LINE, recorder.url);
  const rest = [];
  for (let index = 5; index < 9; index++) {
    const request = await recorder.next(index);
    respond(request.response, 200, { importedCount: "1" });
    rest.push(request.body);
  }
  expect([...acknowledged, ...rest].toSorted()).toEqual(lines.toSorted());
  await moved("imported", "killed.ndjson");
  await poll(() => readdirSync(directory), ["imported"]);
});

test("waybill import --follow reports line numbers in the whole file, even after it continued", async ({
  follow,
  importTwo,
  moved,
  recorder,
}) => {
  expect(await importTwo("lines.ndjson", linesOf("lines", 3), "SIGTERM")).toEqual([0, null]);
  const { output } = follow(ONE_LINE, recorder.url);
  const violation = { field: "lines[1].eventType", description: "is unknown" };
  const details = [
    { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "X", domain: "messaging-data.waybill" },
    { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [violation] },
  ];
  const error = { code: 400, status: "INVALID_ARGUMENT", message: "invalid", details };
  respond((await recorder.next(3)).response, 400, { error });
  await moved("rejected", "lines.ndjson");
  await printed(output, /line 3: eventType is unknown/);
});

test("waybill import --follow imports a file again if lines were added during the import", async ({
  add,
  directory,
  follow,
  moved,
  recorder,
}) => {
  const [first = "", second = ""] = linesOf("grown", 2);
  add("grown.ndjson", first);
  const { output } = follow([], recorder.url);
  const request = await recorder.next(0);
  expect(request.body).toBe(first);
  appendFileSync(join(directory, "grown.ndjson"), second);
  respond(request.response, 200, { importedCount: "1" });
  const again = await recorder.next(1);
  expect(again.body).toBe(first + second);
  respond(again.response, 200, { importedCount: "2" });
  await moved("imported", "grown.ndjson");
  await printed(output, /grown\.ndjson: changed during the import, and is imported again\n/);
});

test("waybill import --follow retries after other failures", async ({ add, follow, moved, recorder }) => {
  add("denied.ndjson", eventsOf("denied", 1));
  const { output } = follow([], recorder.url);
  const error = { code: 403, status: "PERMISSION_DENIED", message: "needs the role editor" };
  respond((await recorder.next(0)).response, 403, { error });
  respond((await recorder.next(1)).response, 200, { importedCount: "1" });
  await moved("imported", "denied.ndjson");
  await printed(output, /denied\.ndjson: needs the role editor.*; retrying in \d/);
});

test("waybill import needs either files or a directory to follow", async ({ directory, follow }) => {
  for (const [flags, reason] of [
    [["more.ndjson"], "name files, or set --follow DIRECTORY"],
    [["--follow", join(directory, "missing")], "missing does not exist"],
  ] as const) {
    const { exited, output } = follow(flags);
    expect(await exited).toEqual([1, null]);
    expect(output()).toContain(reason);
  }
});
