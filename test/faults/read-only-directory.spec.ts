import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { skipWithout } from "../support/needs.js";
import { test } from "../support/servers/process-fixtures.js";
import { spawnServer } from "../support/servers/server-process.js";
import { NOBODY } from "../support/servers/waybill-command.js";
import { textOf } from "../support/text-of.js";

let dataDir: string;
test.beforeEach(async ({ directory }) => {
  await chmod(directory, 0o755);
  dataDir = join(directory, "data");
});
test.afterEach(() => existsSync(dataDir) && setModes(0o700, 0o600));

async function setModes(ofDirectories: number, ofFiles: number): Promise<void> {
  const below = await readdir(dataDir, { recursive: true });
  for (const path of [dataDir, ...below.map((name) => join(dataDir, name))]) {
    if (NOBODY.uid !== undefined && NOBODY.gid !== undefined) await chown(path, NOBODY.uid, NOBODY.gid);
    await chmod(path, (await stat(path)).isDirectory() ? ofDirectories : ofFiles);
  }
}

/** Runs a server that is expected not to start, and ends it if it does. */
async function serve(): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawnServer(["--data-dir", dataDir], [], NOBODY);
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  child.stdout.once("data", () => child.kill());
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

const ONE_LINE = /^waybill: [^\n]*cannot [^\n]*(EACCES|ermission denied)[^\n]*\n$/;

describe("the server does not start without write permission to a data directory", () => {
  test("if it is empty", async () => {
    await mkdir(dataDir);
    await setModes(0o555, 0o400);
    expect(await serve()).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(ONE_LINE) });
  });

  test.for([
    ["neither the directory nor its files are writable", 0o555, 0o400],
    ["only its files are writable", 0o555, 0o600],
    ["only the directory is writable", 0o700, 0o400],
  ] as const)("if it has data, and %s", async ([_, ofDirectories, ofFiles], { startServer }) => {
    await (await startServer()).stop();
    await setModes(ofDirectories, ofFiles);
    expect(await serve()).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(ONE_LINE) });
  });
});

test("the server does not start in a file system that cannot create directories", async ({ skip }) => {
  skipWithout("Linux", skip);
  dataDir = "/proc/none";
  expect(await serve()).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^waybill: [^\n]*\/proc\/none[^\n]* cannot [^\n]*: a directory cannot be created there\n$/,
    ),
  });
});
