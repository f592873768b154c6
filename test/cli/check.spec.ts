import { appendFile, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { patch } from "../support/data/integrity.js";
import { EDITOR, IOS_APP } from "../support/servers/project.js";
import { type ServerProcess, startProcess } from "../support/servers/server-process.js";
import { backupOf } from "../support/servers/waybill-command.js";
import { fileDirectory } from "../support/test-directory.js";

const directory = fileDirectory();
let server: ServerProcess;
let backup: string;
beforeAll(async () => {
  server = await startProcess(directory);
  const token = await server.token(EDITOR);
  await patch(server, token, IOS_APP, { tokenTtl: "7200s" });
  await postEvents(server, token, ndjson([accepted("app", "2025-06-02T12:00:00-07:00")]));
  await entriesOnceThey(server, token, "app", ({ length }) => length === 1);
  backup = join(directory, "backup");
  expect(await runInProcess(backupOf(server, backup))).toMatchObject({ code: 0 });
});
afterAll(() => server.stop());

const check = (dataDir: string) => runInProcess(["check", "--data-dir", dataDir]);

it("waybill check rejects a running server's data directory, and verifies it after the server has stopped", async () => {
  expect(await check(server.dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^waybill: the data directory \S+ is in use by another process \(\d+\)\n$/),
  });
  await server.stop();
  expect(await check(server.dataDir)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /: no problems; read \d+ rows?, recounted the messages of 1 day, read 1 control record\n$/,
    ),
  });
});

it("waybill check does not change a backup, so that it can be restored afterwards", async () => {
  const target = join(directory, "restored");
  for (const attempt of [1, 2]) expect(await check(backup), `attempt ${attempt}`).toMatchObject({ code: 0 });
  expect(await readdir(backup)).toEqual(["manifest.json", "records.db", "waybill.duckdb"]);
  expect(await runInProcess(["restore", "--from", backup, "--data-dir", target])).toMatchObject({ code: 0 });
});

it("waybill check reports each changed file of a backup, and damaged control data, in a line", async () => {
  expect(await check(backup)).toMatchObject({ code: 0, stderr: "" });
  await appendFile(join(backup, "records.db"), "damage\n");
  const file = await open(join(backup, "records.db"), "r+");
  await file.write(Buffer.alloc(100, 7), 0, 100, 0);
  await file.close();
  const { code, stdout, stderr } = await check(backup);
  expect([code, stderr]).toEqual([1, `waybill: ${backup}: found 2 problems\n`]);
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/records.db has \d+ bytes; its manifest lists \d+$/),
    expect.stringMatching(/records\.db cannot be opened: it is damaged; restore it from a backup$/),
  ]);
});

it("waybill check reports a damaged database in one line", async () => {
  const file = await open(join(backup, "waybill.duckdb"), "r+");
  await file.write(Buffer.alloc(200_000, 7), 0, 200_000, 12_288);
  await file.close();
  const { code, stderr } = await check(backup);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^waybill: .*damaged.*\n$/);
});
