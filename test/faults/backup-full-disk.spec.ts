import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { need } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { limitFileSize } from "../support/servers/limit-file-size.js";
import { it } from "../support/servers/process-fixtures.js";
import { backupOf, WAYBILL, waybill } from "../support/servers/waybill-command.js";

need("Linux");

const APP = "app";
const NOON = "2025-06-02T12:00:00-07:00";
/** Less than the size of any database. */
const FULL_AT_BYTES = 100_000;

describe("when the disk is full, a backup", () => {
  it("fails with one line in the server's log, and the next backup succeeds", async ({
    server,
    editor,
    directory,
  }) => {
    const importOne = () => postEvents(server, editor, ndjson([accepted(APP, NOON)]));
    expect((await importOne()).status).toBe(200);
    await entriesOnceThey(server, editor, APP, ({ length }) => length === 1);
    const out = join(directory, "backup");
    const backup = () => waybill(backupOf(server, out));
    limitFileSize(server.process.pid, FULL_AT_BYTES);
    const failed = await backup();
    limitFileSize(server.process.pid, "unlimited");
    expect(failed).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^waybill: the server could not complete the backup: .*\n$/),
    });
    expect(await readdir(out)).toEqual([]);
    expect((await readdir(server.dataDir)).filter((name) => name.startsWith(".snapshot-"))).toEqual([]);
    // Background writes have failed, and may have reopened the store.
    await poll(async () => (await importOne()).status, 200);
    expect((await fetch(`${server.adminUrl}/readyz`)).status).toBe(200);
    expect(await backup()).toMatchObject({ code: 0, stderr: "" });
    expect(await waybill(["check", "--data-dir", out])).toMatchObject({ code: 0 });
  });

  it("fails with one line from the command, and leaves no files", async ({ server, directory }) => {
    const out = join(directory, "backup");
    const limited = promisify(execFile)("prlimit", [
      ...[`--fsize=${FULL_AT_BYTES}:`, process.execPath, WAYBILL],
      ...backupOf(server, out),
    ]);
    await expect(limited).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^waybill: [^\n]*backup[^\n]*: the file would be too large\n$/),
    });
    expect(await readdir(out)).toEqual([]);
  });
});
