import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { accepted } from "../support/data/delivery-data.js";
import { ndjson, postEvents } from "../support/data/import.js";
import { need } from "../support/needs.js";
import { test } from "../support/servers/process-fixtures.js";
import { EDITOR } from "../support/servers/project.js";
import { startProcess } from "../support/servers/server-process.js";

need("Linux");

test("only the owner can read the files in a data directory, with any umask", async ({ directory }) => {
  // Worker threads cannot set the umask.
  const program = 'import { isMainThread } from "node:worker_threads"; if (isMainThread) process.umask(0)';
  const umask = ["--import", `data:text/javascript,${encodeURIComponent(program)}`];
  const server = await startProcess(directory, undefined, [], umask);
  try {
    const events = ndjson([accepted("a", "2025-06-02T12:00:00-07:00")]);
    expect((await postEvents(server, await server.token(EDITOR), events)).status).toBe(200);
    const names = await readdir(server.dataDir, { recursive: true });
    expect(names).toEqual(expect.arrayContaining(["admin-token", "waybill.duckdb", "waybill.duckdb.wal"]));
    for (const name of names) {
      expect((await stat(join(server.dataDir, name))).mode & 0o077, name).toBe(0);
    }
  } finally {
    await server.stop();
  }
});
