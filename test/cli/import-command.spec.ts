import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { stringify } from "csv-stringify/sync";
import { expect } from "vitest";
import { type CommandOutcome, runInProcess } from "../../src/cli/testing/run-in-process.js";
import { loopbackServer } from "../../src/http/testing/loopback-server.js";
import { accepted } from "../support/data/delivery-data.js";
import { queryDuckDb } from "../support/data/duckdb.js";
import { entriesOnceThey, ndjson } from "../support/data/import.js";
import { test as serving } from "../support/servers/fixtures.js";
import { PROJECT, VIEWER } from "../support/servers/project.js";
import { WAYBILL } from "../support/servers/waybill-command.js";

const NOON = "2025-06-02T12:00:00-07:00";
const EVENTS = ndjson([accepted("app", NOON), accepted("app", NOON), accepted("app", NOON)]);
/** Bytes of each request that the command sends. */
const BATCH = 16 * 1024 * 1024;

const test = serving
  .extend(
    "file",
    ({ sharedDirectory }) =>
      async (name: string, content: string | Buffer): Promise<string> => {
        const path = join(sharedDirectory, name);
        await writeFile(path, content);
        return path;
      },
  )
  .extend(
    "importFiles",
    ({ server, editor }) =>
      (files: readonly string[], options: Options = {}): Promise<CommandOutcome> => {
        const { server: url = server.messagingDataUrl, token: bearer = editor, flags = [], input } = options;
        const target = ["--server", url, "--project", PROJECT.number, "--token", bearer];
        return runInProcess(["import", ...files, ...target, ...flags], input);
      },
  )
  /** The line with which the command explains its failure. */
  .extend(
    "failure",
    ({ importFiles }) =>
      async (files: readonly string[], options: Options = {}): Promise<string> => {
        const { code, stderr } = await importFiles(files, options);
        expect(code).toBe(1);
        expect(stderr.trimEnd().split("\n")).toHaveLength(1);
        return stderr.trimEnd();
      },
  );

interface Options {
  readonly server?: string;
  readonly token?: string;
  readonly flags?: readonly string[];
  /** Standard input. */
  readonly input?: string | Buffer;
}

test("waybill import reports one file after another, without a progress bar if stderr is not a terminal", async ({
  file,
  importFiles,
}) => {
  const plain = await file("plain.ndjson", EVENTS);
  const packed = await file("packed.ndjson.gz", gzipSync(EVENTS));
  const none = await file("none.ndjson", "");
  expect(await importFiles([plain, packed, none])).toEqual({
    code: 0,
    stderr: "",
    stdout: [plain, packed, none]
      .map((path) => `${path}: ${path === none ? 0 : 3} events imported, 0 opted out\n`)
      .join(""),
  });
});

test("waybill import shows the line number of an invalid line in the file, even after the first request", async ({
  file,
  importFiles,
}) => {
  const line = `${JSON.stringify(accepted("app", NOON))}\n`;
  const good = Math.ceil(BATCH / line.length) + 10;
  const path = await file("long.ndjson", `${line.repeat(good)}{"appId":1}\n${line}`);
  const { code, stderr } = await importFiles([path]);
  expect(code).toBe(1);
  expect(stderr).toContain(`waybill: ${path}: line ${good + 1}: `);
  expect(stderr).not.toMatch(/^ +at /m);
});

test("waybill import reports files that do not exist, are truncated or are not regular", async ({
  sharedDirectory,
  file,
  failure,
}) => {
  const cut = await file("cut.ndjson.gz", gzipSync(EVENTS).subarray(0, 40));
  const noGzip = await file("no.gz", EVENTS);
  const missing = join(sharedDirectory, "missing");
  for (const path of [cut, noGzip, missing, sharedDirectory]) expect(await failure([path])).toContain(path);
});

test("waybill import explains why the server rejects an import", async ({ server, file, failure }) => {
  const path = await file("rejected.ndjson", EVENTS);
  expect(await failure([path], { token: "no-token" })).toMatch(/token/i);
  expect(await failure([path], { token: await server.token(VIEWER) })).toMatch(/editor|permission|role/i);
  expect(await failure([path], { server: "nowhere" })).toContain("--server is not a URL: nowhere");
  expect(await failure([path], { server: server.integrityUrl })).toMatch(/path|route|method/i);
});

test("waybill import needs a token, and reads it from the environment", async ({ server, editor, file }) => {
  const path = await file("environment.ndjson", EVENTS);
  const args = ["import", path, "--server", server.messagingDataUrl, "--project", PROJECT.id];
  const { code, stderr } = await runInProcess(args);
  expect([code, stderr]).toEqual([1, "waybill: no access token: set --token or WAYBILL_TOKEN\n"]);
  const child = spawn(process.execPath, [WAYBILL, ...args], {
    stdio: "ignore",
    env: { ...process.env, WAYBILL_TOKEN: editor },
  });
  expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(0);
});

test("waybill import reports an error even if standard input stays open", async ({ server }) => {
  const target = ["--server", server.messagingDataUrl, "--project", PROJECT.id, "--token", "none"];
  const child = spawn(process.execPath, [WAYBILL, "import", "-", "--batch-bytes", "1", ...target]);
  const exited = once(child, "exit");
  child.stdin.write(EVENTS);
  expect(await exited).toEqual([1, null]);
});

/** A row of the BigQuery export of Firebase Cloud Messaging. */
const exported = (app: string, id: string, event = "MESSAGE_ACCEPTED"): Record<string, string> => ({
  event_timestamp: "2025-06-02 19:00:00.250000 UTC",
  message_id: id,
  instance_id: `instance "1", of ${app}`,
  message_type: "DISPLAY_NOTIFICATION",
  sdk_platform: "ANDROID",
  app_name: app,
  event,
  analytics_label: "spring",
});
const exportOf = (app: string) => [
  exported(app, "1"),
  exported(app, "1", "MESSAGE_DELIVERED"),
  exported(app, "2"),
  { ...exported(app, "2"), sdk_platform: "IOS" },
];
const FCM = ["--format", "fcm-bigquery"];

test("waybill import reads an export as JSON lines, CSV or Parquet, compressed or from standard input", async ({
  server,
  editor,
  file,
  sharedDirectory,
  importFiles,
}) => {
  const csv = (app: string) => stringify(exportOf(app), { header: true });
  const parquet = join(sharedDirectory, "export.parquet");
  await queryDuckDb(
    `COPY (SELECT * FROM read_csv('${await file("export.csv", csv("parquet"))}')) TO '${parquet}'`,
  );
  const files = [
    await file("export.ndjson", ndjson(exportOf("json"))),
    await file("export.csv.gz", gzipSync(csv("packed"))),
    parquet,
    "-",
  ];
  const ios = await file("ios.ndjson", ndjson(exportOf("ios").slice(3)));
  expect(await importFiles([...files, ios], { flags: FCM, input: csv("stdin") })).toEqual({
    code: 0,
    stdout: [...files, ios]
      .map((name) => `${name}: ${name === ios ? 0 : 3} events imported, 0 opted out\n`)
      .join(""),
    stderr: [...files, ios]
      .map((name) => `${name}: 1 of ${name === ios ? 1 : 4} rows dropped (sdk_platform IOS: 1)\n`)
      .join(""),
  });
  for (const app of ["json", "packed", "parquet", "stdin"]) {
    const [entry] = await entriesOnceThey(server, editor, app, ({ length }) => length === 1);
    expect(entry).toMatchObject({
      analyticsLabel: "spring",
      data: {
        countMessagesAccepted: "2",
        countNotificationsAccepted: "2",
        messageOutcomePercents: { delivered: 50 },
      },
    });
  }
});

test("waybill import shows which row it or the server has rejected", async ({ file, failure }) => {
  const row = (event_timestamp: string) => ({ ...exported("app", "id\nof two lines"), event_timestamp });
  const sheet = (time: string) =>
    stringify([row("2025-06-02T00:00:00Z"), { ...row(""), event: "INVALID_TTL" }, row(time)], {
      header: true,
    });
  const unreadable = await file("unreadable.csv", sheet("noon"));
  const problem = "event_timestamp is not an ISO 8601 time with an offset: noon";
  expect(await failure([unreadable], { flags: FCM })).toBe(`waybill: ${unreadable}: line 6: ${problem}`);
  const impossible = await file("impossible.csv", sheet("2025-02-30T00:00:00Z"));
  expect(await failure([impossible], { flags: FCM })).toBe(
    `waybill: ${impossible}: line 6: event_timestamp has a day, hour, minute, second or offset out of range: ` +
      "2025-02-30T00:00:00Z",
  );
  const rejected = await file("rejected.csv", sheet("9000-01-01T00:00:00Z"));
  expect(await failure([rejected], { flags: FCM })).toMatch(
    /line 6: event_timestamp must fall on a day from .*: 9000-01-01T00:00:00Z$/,
  );
  const label = { ...exported("app", "1"), analytics_label: "a b" };
  const labelled = await file("label.csv", stringify([exported("app", "2"), label], { header: true }));
  expect(await failure([labelled], { flags: FCM })).toMatch(
    /label\.csv: line 3: analytics_label must have 1 to 50 of the characters .*: a b$/,
  );
});

test("waybill import skips invalid lines of an event file on request", async ({ file, importFiles }) => {
  const bad = (label: string) => accepted("skipped", NOON, label);
  const path = await file("invalid.ndjson", `{\n${ndjson([bad("a"), ...Array(12).fill(bad("a b"))])}`);
  const { code, stdout, stderr } = await importFiles([path], { flags: ["--skip-invalid"] });
  expect([code, stdout]).toEqual([0, `${path}: 1 events imported, 0 opted out, 13 invalid\n`]);
  const [first, second, ...lines] = stderr.trimEnd().split("\n");
  expect(first).toBe(`${path}: line 1: is not JSON: each line is one event as a JSON object`);
  expect(second).toMatch(/: line 3: analyticsLabel must have 1 to 50 of the characters .*: a b$/);
  expect(lines).toHaveLength(9);
  expect(lines.at(-1)).toBe(`${path}: and 3 more invalid`);
});

test("waybill import skips rows on request that it or the server would reject", async ({
  file,
  importFiles,
}) => {
  const rows = [
    exported("skipping", "1"),
    { ...exported("skipping", "2"), event_timestamp: "2025-02-30T00:00:00Z" },
    { ...exported("skipping", "3"), analytics_label: "a b" },
  ];
  const sheet = await file("invalid.csv", `${stringify(rows, { header: true })}too,few\n`);
  expect(await importFiles([sheet], { flags: [...FCM, "--skip-invalid"] })).toEqual({
    code: 0,
    stdout: `${sheet}: 1 events imported, 0 opted out, 3 invalid\n`,
    stderr: [
      "line 3: event_timestamp has a day, hour, minute, second or offset out of range: 2025-02-30T00:00:00Z",
      "line 4: analytics_label must have 1 to 50 of the characters a-z, A-Z, 0-9, -, _, ., ~ and %: a b",
      "line 5: has more or fewer values than the header",
    ]
      .map((line) => `${sheet}: ${line}\n`)
      .join(""),
  });
  const lines = await file("invalid.ndjson", `{"a\n7\n${ndjson(rows)}`);
  const { code, stdout, stderr } = await importFiles([lines], { flags: [...FCM, "--skip-invalid"] });
  expect([code, stdout]).toEqual([0, `${lines}: 1 events imported, 0 opted out, 4 invalid\n`]);
  expect(stderr.match(/line \d+/g)).toEqual(["line 1", "line 2", "line 4", "line 5"]);
});

test("waybill import reports exports that are truncated or of another kind, and flags that do not match", async ({
  file,
  failure,
}) => {
  const packed = gzipSync(stringify(exportOf("cut"), { header: true })).subarray(0, 60);
  const events = await file("events.ndjson", EVENTS);
  const map = await file("map.yaml", "messageId: { columns: [id], empty: ignore }\n");
  const missing = `${map}.none`;
  await Promise.all(
    (
      [
        [await file("cut.csv.gz", packed), FCM, "cut.csv.gz is not a complete gzip file"],
        [await file("cut.parquet", "PAR1"), FCM, "cut.parquet: cannot be read as Parquet"],
        [events, FCM, "events.ndjson: line 1: event is missing or empty"],
        [events, ["--format", "autopush"], "the rows of this format do not name their app; set --app ID"],
        [events, ["--app", "app"], "--app applies only to other formats; events contain an appId"],
        [events, ["--map", missing], missing],
      ] as const
    ).map(async ([path, flags, problem]) => expect(await failure([path], { flags })).toContain(problem)),
  );
});

test("waybill import continues with a new token from its token file after the old token was rejected", async ({
  file,
}) => {
  const events = await file("long.ndjson", EVENTS);
  const tokenFile = await file("token", "first\n");
  const imported: string[] = [];
  let replacing: Promise<void> | undefined;
  const { origin, close } = await loopbackServer((request, response) => {
    const given = request.headers.authorization ?? "";
    // The first token expires after one request, and is replaced before the client gets a 401.
    const isValid = given === (imported.length === 0 ? "Bearer first" : "Bearer second");
    if (isValid) imported.push(given);
    request.resume().on("end", async () => {
      replacing ??= writeFile(tokenFile, "second\n");
      await replacing;
      response.writeHead(isValid ? 200 : 401, { "content-type": "application/json" });
      response.end(
        isValid
          ? '{"importedCount":"1"}'
          : '{"error":{"code":401,"message":"expired","status":"UNAUTHENTICATED"}}',
      );
    });
  });
  const { code, stdout, stderr } = await runInProcess([
    ...["import", events, "--project", PROJECT.id, "--server", origin],
    ...["--token-file", tokenFile, "--batch-bytes", "1"],
  ]);
  await close();
  expect([code, stdout, stderr]).toEqual([0, `${events}: 3 events imported, 0 opted out\n`, ""]);
  expect(imported).toEqual(["Bearer first", "Bearer second", "Bearer second"]);
});

test("waybill import fails after several attempts if the server stays down, even behind a gateway", async ({
  file,
  failure,
}) => {
  const path = await file("down.ndjson", EVENTS);
  const down = await loopbackServer(() => {});
  await down.close();
  let requests = 0;
  const gateway = await loopbackServer((request, response) => {
    requests++;
    request.resume().on("end", () => response.writeHead(502).end("<html>Bad Gateway</html>"));
  });
  const [nobody, noResponse] = await Promise.all(
    [down, gateway].map(({ origin }) => failure([path], { server: origin })),
  );
  expect(nobody).toContain(`${down.origin} cannot be reached: `);
  expect(noResponse).toContain(`${gateway.origin} responded with HTTP status 502 without a reason`);
  expect(requests).toBeGreaterThan(1);
  await gateway.close();
});

test("waybill import rejects responses from other services", async ({ file, failure }) => {
  const path = await file("other.ndjson", EVENTS);
  for (const status of [200, 404]) {
    const other = await loopbackServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status).end("<html>"));
    });
    expect(await failure([path], { server: other.origin })).toContain(
      `responded with HTTP status ${status} without a reason`,
    );
    await other.close();
  }
});

test.skipIf(!existsSync("/usr/bin/script"))(
  "waybill import shows its progress on a terminal",
  async ({ server, editor, file }) => {
    const path = await file("terminal.ndjson", EVENTS);
    const target = `--server ${server.messagingDataUrl} --project ${PROJECT.id} --token ${editor}`;
    const command = `${process.execPath} ${WAYBILL} import ${path} ${target}`;
    const terminal = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const shown = Buffer.concat(await terminal.stdout.toArray()).toString();
    expect(shown).toContain("| 3 events");
  },
);
