import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer, temporaryDirectory, WAYBILL } from "../support/waybill.js";

/** Root may write anywhere: where the tests run as root, the server runs as another user. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  await chmod(directory.path, 0o755);
  dataDir = join(directory.path, "data");
});
afterEach(async () => {
  await setModes(0o700, 0o600);
  await directory.remove();
});

async function setModes(ofDirectories: number, ofFiles: number): Promise<void> {
  const below = await readdir(dataDir, { recursive: true });
  for (const path of [dataDir, ...below.map((name) => join(dataDir, name))]) {
    if (NOBODY.uid !== undefined) await chown(path, NOBODY.uid, NOBODY.gid);
    await chmod(path, (await stat(path)).isDirectory() ? ofDirectories : ofFiles);
  }
}

/** Runs a server that is expected not to start, and ends it if it does. */
async function serve(): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const ports = ["--integrity-port", "0", "--messaging-data-port", "0", "--admin-port", "0"];
  const child = spawn(process.execPath, [WAYBILL, "serve", "--data-dir", dataDir, ...ports], {
    stdio: ["ignore", "pipe", "pipe"],
    ...NOBODY,
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString();
    child.kill();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

const ONE_LINE = /^waybill: cannot [^\n]*(EACCES|ermission denied)[^\n]*\n$/;

describe.skipIf(process.platform === "win32")(
  "the server refuses to start in a data directory without write permission",
  () => {
    test("that is empty", async () => {
      await mkdir(dataDir);
      await setModes(0o555, 0o400);
      expect(await serve()).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(ONE_LINE) });
    });

    test.each([
      ["and neither can its files", 0o555, 0o400],
      ["though its files can", 0o555, 0o600],
      ["in its files alone", 0o700, 0o400],
    ])("that has data, %s", async (_, ofDirectories, ofFiles) => {
      await (await startServer(directory.path)).stop();
      await setModes(ofDirectories, ofFiles);
      expect(await serve()).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(ONE_LINE) });
    });
  },
);
