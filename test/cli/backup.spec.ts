import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { loopbackServer } from "../../src/http/testing/loopback-server.js";
import { accepted } from "../support/data/delivery-data.js";
import { countsByLabel, entriesOf, entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { patch } from "../support/data/integrity.js";
import { poll } from "../support/poll.js";
import { EDITOR, IOS_APP } from "../support/servers/project.js";
import { type ServerProcess, startProcess } from "../support/servers/server-process.js";
import { backupOf, WAYBILL } from "../support/servers/waybill-command.js";
import { fileDirectory } from "../support/test-directory.js";

const APP = "app";
const NOON = "2025-06-02T12:00:00-07:00";
/** Number of messages imported while a backup is in progress. */
const BATCH = 50;

const directory = fileDirectory();
let server: ServerProcess;
let token: string;
/** A backup of the server, created under load. */
let whole: string;
const acknowledged = { before: 0, after: 0 };

beforeAll(async () => {
  server = await startProcess(directory);
  token = await server.token(EDITOR);
  await patch(server, token, IOS_APP, { tokenTtl: "7200s" });
  let isDone = false;
  const importing = (async () => {
    while (!isDone) {
      const events = Array.from({ length: BATCH }, () => accepted(APP, NOON));
      expect((await postEvents(server, token, ndjson(events))).status).toBe(200);
      acknowledged.after += BATCH;
    }
  })();
  await poll(() => acknowledged.after >= 10 * BATCH);
  acknowledged.before = acknowledged.after;
  whole = join(directory, "whole");
  const { code, stdout, stderr } = await backup(whole, "--with-keys");
  isDone = true;
  await importing;
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\S+whole: all data as of \d{4}-\S+Z or later; 2 files, \d+ bytes\n$/);
});
afterAll(() => server.stop());

const backupFrom = (adminUrl: string, out: string) => backupOf({ ...server, adminUrl }, out);
const backup = (out: string, ...flags: string[]) => runInProcess([...backupOf(server, out), ...flags]);
const restore = (from: string, dataDir: string) =>
  runInProcess(["restore", "--from", from, "--data-dir", dataDir]);
const place = (name: string): string => join(directory, name);

/** A copy of the complete backup, for a test to damage. */
async function copyOf(name: string): Promise<string> {
  const copy = place(name);
  await mkdir(copy);
  for (const file of await readdir(whole)) {
    await writeFile(join(copy, file), await readFile(join(whole, file)));
  }
  return copy;
}

describe("waybill backup and restore", () => {
  it("preserve all events that were acknowledged before a backup under load began", async () => {
    const home = place("restored");
    await mkdir(home);
    const { code, stdout } = await restore(whole, join(home, "data"));
    expect([code, stdout]).toEqual([0, expect.stringContaining("restored from the backup of 20")]);
    const restored = await startProcess(home);
    const countsIn = async (): Promise<number> =>
      countsByLabel(await entriesOf(restored, token, APP)).get("") ?? 0;
    // The keys were restored: the first server's token is valid here.
    await entriesOnceThey(restored, token, APP, (entries) => entries.length > 0);
    const count = await poll(countsIn, (count) => count >= acknowledged.before);
    expect(count).toBeGreaterThanOrEqual(acknowledged.before);
    expect(count).toBeLessThanOrEqual(acknowledged.after);
    const histories = await Promise.all(
      [server, restored].map(({ dataDir }) =>
        runInProcess(["config", "history", "--data-dir", dataDir, "--json"]),
      ),
    );
    expect(histories[1]?.stdout).toContain('"tokenTtl":"7200s"');
    expect(histories[1]?.stdout).toBe(histories[0]?.stdout);
    await restored.stop();
  });

  it("create files that other users cannot read", async () => {
    const dataDir = place("modes");
    await restore(whole, dataDir);
    for (const path of [whole, dataDir]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
      expect((await stat(join(path, "waybill.duckdb"))).mode & 0o777).toBe(0o600);
      expect((await stat(join(path, "records.db"))).mode & 0o777).toBe(0o600);
    }
    expect((await readdir(dataDir)).sort()).toEqual(["records.db", "waybill.duckdb"]);
  });

  it("leave nothing in the server's data directory, and set the last backup's time in the metrics", async () => {
    expect((await readdir(server.dataDir)).filter((name) => name.startsWith(".snapshot-"))).toEqual([]);
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    const [, seconds] = /^waybill_last_backup_timestamp_seconds (\d+)/m.exec(metrics) ?? [];
    expect(Number(seconds)).toBeGreaterThan(1_700_000_000);
  });
});

it("waybill backup leaves out keys, unless they are requested", async () => {
  const out = place("without-keys");
  expect((await backup(out)).code).toBe(0);
  expect((await readdir(out)).sort()).toEqual(["manifest.json", "records.db", "waybill.duckdb"]);
});

it("waybill backup rejects a target directory with files, and a data directory without keys", async () => {
  expect(await backup(whole)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^waybill: \S+whole is not empty: .*\n$/),
  });
  expect(await backup(place("no-keys"), "--with-keys", "--data-dir", directory)).toMatchObject({
    code: 1,
    stderr: `waybill: --data-dir: there are no keys in ${directory}\n`,
  });
  expect(await readdir(place("no-keys"))).toEqual([]);
});

it.each<[what: string, handler: RequestListener, reason: string]>([
  [
    "ends within a file",
    (_, response) => {
      response.write('{"totalBytes":9}\n{"file":"waybill.duckdb","bytes":9}\nhalf');
      setImmediate(() => response.destroy());
    },
    "the connection ended before the backup was complete",
  ],
  [
    "reports an error",
    (_, response) => response.end('{"error":"the disk is full"}\n'),
    "the server could not complete the backup: the disk is full",
  ],
  ["is not a Waybill server", (_, response) => response.end("<html>\n"), "the server did not send a backup"],
  [
    "sends a file name outside the directory",
    (_, response) => response.end('{"file":"../a","bytes":1}\na'),
    "the server sent an unexpected file: ../a",
  ],
  ["rejects the request", (_, response) => response.writeHead(404).end(), "status 404"],
])(
  "waybill backup fails with one line, and leaves no files, if the server %s",
  async (what, handler, reason) => {
    const other = await loopbackServer(handler);
    const out = place(what.replaceAll(" ", "-"));
    const { code, stderr } = await runInProcess(backupFrom(other.origin, out));
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(await readdir(out)).toEqual([]);
    await other.close();
  },
);

it("waybill restore and waybill check reject the incomplete backup of a killed command", async () => {
  const other = await loopbackServer((_, response) => {
    response.write('{"totalBytes":9}\n{"file":"waybill.duckdb","bytes":9}\nhalf');
  });
  const half = place("half");
  const child = spawn(process.execPath, [WAYBILL, ...backupFrom(other.origin, half)]);
  const written = () => readFile(join(half, "waybill.duckdb"), "utf8").catch(() => "");
  await poll(written, "half");
  child.kill("SIGKILL");
  await once(child, "exit");
  const rejection = {
    code: 1,
    stdout: "",
    stderr: `waybill: ${half} is an incomplete backup: remove it and make another\n`,
  };
  expect(await restore(half, place("of-half"))).toMatchObject(rejection);
  expect(await runInProcess(["check", "--data-dir", half])).toMatchObject(rejection);
  await other.close();
});

describe("waybill restore rejects", () => {
  it("a directory that is not empty", async () => {
    expect(await restore(whole, server.dataDir)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^waybill: \S+data is not empty: .*\n$/),
    });
  });

  it("a directory without a manifest", async () => {
    expect(await restore(server.dataDir, place("no-manifest"))).toMatchObject({
      code: 1,
      stderr: `waybill: ${server.dataDir} is not a backup: it has no manifest.json\n`,
    });
  });

  it("files that have changed, and leaves the data directory empty", async () => {
    const damaged = await copyOf("damaged");
    const database = await readFile(join(damaged, "waybill.duckdb"));
    database.writeUInt8(database.readUInt8(20_000) ^ 1, 20_000);
    await writeFile(join(damaged, "waybill.duckdb"), database);
    const cut = await copyOf("cut");
    await writeFile(join(cut, "records.db"), "");
    for (const [from, reason] of [
      [damaged, "waybill.duckdb does not match the digest in its manifest"],
      [cut, "records.db has 0 bytes; its manifest lists"],
    ] as const) {
      const dataDir = `${from}-data`;
      const { code, stderr } = await restore(from, dataDir);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(await readdir(dataDir)).toEqual([]);
    }
  });

  it("a manifest that names files outside the backup", async () => {
    const from = await copyOf("elsewhere");
    const manifest = await readFile(join(from, "manifest.json"), "utf8");
    await writeFile(join(from, "manifest.json"), manifest.replace('"waybill.duckdb"', '"../waybill.duckdb"'));
    expect((await restore(from, place("elsewhere-data"))).stderr).toContain(
      "is damaged, or from another version",
    );
  });
});

it("a server does not start in a data directory with an incomplete restore", async () => {
  const home = place("half-restored");
  await mkdir(join(home, "data/restoring"), { recursive: true });
  await expect(startProcess(home)).rejects.toThrow("contains an incomplete restore");
});

it("a server removes the snapshot that it left when it was killed, and no files of its operator", async () => {
  const home = place("killed");
  for (const name of [".snapshot-Ab12cd", "backup-2026-11-22"]) {
    await mkdir(join(home, "data", name), { recursive: true });
  }
  const killed = await startProcess(home);
  const left = (await readdir(killed.dataDir)).filter((name) => /snapshot|backup/.test(name));
  expect(left).toEqual(["backup-2026-11-22"]);
  await killed.stop();
});
