import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type CommandOutcome, runInProcess } from "../../src/cli/testing/run-in-process.js";
import { startChdb } from "../support/cluster/chdb.js";
import { accepted } from "../support/data/delivery-data.js";
import { queryDuckDb } from "../support/data/duckdb.js";
import { entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { respond, startRecorder } from "../support/http/recorder.js";
import { codeBlocks } from "../support/markdown.js";
import { skipWithout } from "../support/needs.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { PROJECT } from "../support/servers/project.js";
import { WAYBILL } from "../support/servers/waybill-command.js";

const LABELS = 1_500;
const DAYS = ["2025-05-01", "2025-06-02", "2025-06-03"];
const noonOf = (day: string): string => `${day}T12:00:00-07:00`;

const test = serving
  .extend(
    "exportTo",
    ({ server, viewer }) =>
      (folder: string, ...flags: string[]): Promise<CommandOutcome> => {
        const target = ["--server", server.messagingDataUrl, "--token", viewer];
        return runInProcess(["export", "--parquet", folder, ...target, ...flags]);
      },
  )
  /** Imports events of three days, one of them with many labels, and waits until all are listed. */
  .extend("imported", { scope: "file" }, async ({ server, editor }) => {
    const events = DAYS.flatMap((day) => [accepted("one", noonOf(day)), accepted("two", noonOf(day))]);
    const labelled = Array.from({ length: LABELS }, (_, index) =>
      accepted("one", noonOf("2025-06-02"), `l${index}`),
    );
    await postEvents(server, editor, ndjson([...events, ...labelled]));
    await entriesOnceThey(server, editor, "two", (entries) => entries.length === DAYS.length);
    return { entries: 2 * DAYS.length + LABELS };
  });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();

test("waybill export writes a file for each project and day, which engines read as partitions", async ({
  directory,
  exportTo,
  imported,
}) => {
  const { code, stdout } = await exportTo(directory);
  expect([code, stdout]).toEqual([
    0,
    `${PROJECT.id}: days exported: 3, changed: 3, entries: ${imported.entries}\n`,
  ]);
  const names = DAYS.map((day) => join(directory, `project=${PROJECT.id}`, `day=${day}`, "entries.parquet"));
  expect(filesIn(directory)).toEqual(names);
  const sql = `SELECT project, day, count(*)::INTEGER, sum(count_messages_accepted)::INTEGER
    FROM read_parquet('${directory}/*/*/*.parquet', hive_partitioning = true) GROUP BY ALL ORDER BY day`;
  expect(await queryDuckDb(sql)).toEqual([
    [PROJECT.id, "2025-05-01", 2, 2],
    [PROJECT.id, "2025-06-02", LABELS + 2, LABELS + 2],
    [PROJECT.id, "2025-06-03", 2, 2],
  ]);
});

test("waybill export reads only recent days again, and replaces only files that have changed", async ({
  directory,
  editor,
  exportTo,
  imported,
  server,
}) => {
  await exportTo(directory);
  expect(imported.entries).toBeGreaterThan(0);
  const before = new Map(filesIn(directory).map((file) => [file, statSync(file).mtimeMs]));
  await postEvents(server, editor, ndjson([accepted("two", noonOf("2025-06-03"))]));
  await entriesOnceThey(server, editor, "two", ([newest]) => newest?.data.countMessagesAccepted === "2");
  const { stdout } = await exportTo(directory);
  expect(stdout).toBe(`${PROJECT.id}: days exported: 2, changed: 1, entries: ${LABELS + 4}\n`);
  const changed = filesIn(directory).filter((file) => statSync(file).mtimeMs !== before.get(file));
  expect(changed).toEqual([join(directory, `project=${PROJECT.id}`, "day=2025-06-03", "entries.parquet")]);
});

test("waybill export exports older days after an interruption, although newer days have files", async ({
  directory,
  exportTo,
  imported,
}) => {
  const folder = join(directory, `project=${PROJECT.id}`);
  mkdirSync(folder);
  const obstacle = join(folder, "day=2025-05-01");
  writeFileSync(obstacle, "");
  expect((await exportTo(directory)).code).toBe(1);
  expect(filesIn(folder)).toContain(join(folder, "day=2025-06-03", "entries.parquet"));
  rmSync(obstacle);
  const { stdout } = await exportTo(directory);
  expect(stdout).toBe(`${PROJECT.id}: days exported: 3, changed: 1, entries: ${imported.entries}\n`);
  expect(filesIn(folder)).toEqual(DAYS.map((day) => join(folder, `day=${day}`, "entries.parquet")));
});

test("waybill export leaves only complete files after kill -9, and continues", async ({
  directory,
  onTestFinished,
}) => {
  const recorder = await startRecorder();
  onTestFinished(recorder.close);
  const entryOf = (month: number) => ({ appId: "one", date: { year: 2025, month, day: 1 }, data: {} });
  const target = ["--project", "shop", "--server", recorder.url, "--token", "t"];
  const args = ["export", "--parquet", directory, ...target];
  const killed = spawn(process.execPath, [WAYBILL, ...args], { stdio: "ignore" });
  const exited = once(killed, "exit");
  const first = { androidDeliveryData: [entryOf(6), entryOf(5)], nextPageToken: "next" };
  respond((await recorder.next(0)).response, 200, first);
  await recorder.next(1);
  const folder = join(directory, "project=shop");
  const complete = join(folder, "day=2025-06-01", "entries.parquet");
  await poll(
    () => filesIn(folder),
    (files) => files.includes(complete) && files.some((file) => file.includes("_draft.")),
  );
  killed.kill("SIGKILL");
  await exited;
  const [draft = "", unfinished, ...others] = filesIn(folder);
  expect([unfinished, others]).toEqual([join(folder, "_unfinished"), [complete]]);
  expect(draft).toContain(join(folder, "_draft."));

  utimesSync(draft, 0, 0);
  const again = runInProcess(args);
  respond((await recorder.next(2)).response, 200, first);
  respond((await recorder.next(3)).response, 200, { androidDeliveryData: [entryOf(4)] });
  expect((await again).stdout).toBe("shop: days exported: 3, changed: 2, entries: 3\n");
  expect(filesIn(folder)).toEqual(
    ["2025-04-01", "2025-05-01", "2025-06-01"].map((day) => join(folder, `day=${day}`, "entries.parquet")),
  );
});

test("waybill export can run twice at the same time", async ({ directory, exportTo, imported }) => {
  expect(imported.entries).toBeGreaterThan(0);
  const outcomes = await Promise.all([exportTo(directory), exportTo(directory)]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  expect(filesIn(directory)).toHaveLength(DAYS.length);
});

test("waybill export begins with the day in --since, and can select projects", async ({
  directory,
  exportTo,
  imported,
}) => {
  expect(imported.entries).toBeGreaterThan(0);
  const { stdout } = await exportTo(directory, "--since", "2025-06-03", "--project", PROJECT.number);
  expect(stdout).toBe(`${PROJECT.number}: days exported: 1, changed: 1, entries: 2\n`);
  const unknown = await exportTo(directory, "--project", "unknown");
  expect(unknown).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^waybill: .*unknown.*\n$/) });
});

/** A query in the guide, over the files in a directory. */
function queryInGuide(engine: RegExp, directory: string): string {
  const guide = codeBlocks(readFileSync(packagePath("docs/guides/data-lake.md"), "utf8"));
  const query = guide.find(({ language, text }) => language === "sql" && engine.test(text))?.text ?? "";
  return query.replace("lake/", `${directory}/`);
}

test("the DuckDB query in the guide Export to a data lake works", async ({
  directory,
  exportTo,
  imported,
}) => {
  expect(imported.entries).toBeGreaterThan(0);
  await exportTo(directory);
  const rows = await queryDuckDb(queryInGuide(/read_parquet/, directory));
  expect(rows.map(([day]) => day)).toEqual(DAYS.toReversed());
});

test("the ClickHouse query in the guide Export to a data lake has the same result", async ({
  directory,
  exportTo,
  imported,
  onTestFinished,
  skip,
}) => {
  skipWithout("chdb", skip);
  expect(imported.entries).toBeGreaterThan(0);
  await exportTo(directory);
  const { url, dispose } = await startChdb();
  onTestFinished(dispose);
  const body = queryInGuide(/use_hive_partitioning/, directory).replace(";", "");
  const result = await (await fetch(url, { method: "POST", body })).text();
  const expected = await queryDuckDb(queryInGuide(/read_parquet/, directory));
  expect(
    result
      .trim()
      .split("\n")
      .map((line) => line.split("\t")),
  ).toEqual(expected.map((row) => row.map(String)));
});
