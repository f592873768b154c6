import { type ChildProcess, execFileSync, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { describe, expect } from "vitest";
import { freePort } from "../support/cluster/free-port.js";
import { send } from "../support/http/exchange.js";
import { need, skipWithout } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { test } from "../support/servers/process-fixtures.js";
import { type Addresses, addressesOf } from "../support/servers/serve-process.js";
import { spawnServer } from "../support/servers/server-process.js";
import { WAYBILL } from "../support/servers/waybill-command.js";
import { textOf } from "../support/text-of.js";

need("Linux");

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Makes `SIGUSR2` throw an uncaught error, and `SIGHUP` exit in the middle of other work. */
const EXITS = `data:text/javascript,${encodeURIComponent(
  `process.on("SIGUSR2", () => { throw new Error("uncaught") }); process.on("SIGHUP", () => process.exit(3))`,
)}`;

/** A log file that becomes unwritable. */
interface BadFile {
  readonly fd: number;
  /** Makes it unwritable. */
  readonly ruin: () => void;
}

function fullDisk(): BadFile {
  return { fd: openSync("/dev/full", "w"), ruin: () => {} };
}

function pipeIn(directory: string): { readonly path: string; readonly reader: number; readonly fd: number } {
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  return { path, reader, fd: openSync(path, O_WRONLY) };
}

function pipeThatCloses(directory: string): BadFile {
  const { reader, fd } = pipeIn(directory);
  return { fd, ruin: () => closeSync(reader) };
}

function pipeThatStalls(directory: string): BadFile {
  const { path, fd } = pipeIn(directory);
  return { fd, ruin: () => fill(path) };
}

/** Fills a pipe. */
function fill(path: string): void {
  const fd = openSync(path, O_WRONLY | O_NONBLOCK);
  for (const size of [65_536, 1]) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size));
    } catch {
      // The pipe is full.
    }
  }
  closeSync(fd);
}

const FULL = "a full disk";
const STALLED = "a pipe with a reader that stalls";

const BAD_FILES = [
  [FULL, fullDisk],
  ["a pipe that its reader has closed", pipeThatCloses],
  [STALLED, pipeThatStalls],
] as const satisfies [what: string, open: (directory: string) => BadFile][];

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<[code: number | null]>;
  readonly ready: () => Promise<Addresses>;
}

/** Starts a server with its data in a directory, and files for its stdout and stderr. */
function start(directory: string, stdio: StdioOptions, args: readonly string[] = []): Started {
  const child = spawnServer(["--data-dir", join(directory, "data"), ...args], ["--import", EXITS], { stdio });
  const exited = once(child, "exit") as Started["exited"];
  return { child, exited, ready: async () => (await addressesOf(child)) as Addresses };
}

/** Makes requests that are logged, and expects their responses. */
async function expectServed({ integrityUrl, adminUrl }: Addresses): Promise<void> {
  for (let sent = 0; sent < 20; sent++) {
    expect((await send(integrityUrl, "/openapi.json")).status).toBe(200);
  }
  expect((await send(adminUrl, "/healthz")).status).toBe(200);
}

const droppedBy = async ({ adminUrl }: Addresses): Promise<number> =>
  Number(/^waybill_log_lines_dropped_total (\d+)$/m.exec((await send(adminUrl, "/metrics")).text)?.[1]);

describe("a server with its log on", () => {
  describe.each(BAD_FILES)("%s", (what, openFile) => {
    const stalls = what === STALLED;
    test.for([
      ["SIGTERM", 0],
      ...(stalls || what === FULL
        ? ([
            ["SIGUSR2", 1],
            ["SIGHUP", 3],
          ] as const)
        : []),
    ] as const)("serves requests, and ends by %s with code %i", async ([signal, code], { directory }) => {
      const { fd, ruin } = openFile(directory);
      const { child, exited, ready } = start(directory, ["pipe", "pipe", fd], ["--only", "integrity"]);
      closeSync(fd);
      const urls = await ready();
      ruin();
      await expectServed(urls);
      if (!stalls) {
        await poll(
          () => droppedBy(urls),
          (lines) => lines >= 20,
        );
      }
      child.kill(signal);
      expect(await exited).toEqual([code, null]);
    });

    test("can fail to start without hanging", async ({ directory }) => {
      const { fd, ruin } = openFile(directory);
      ruin();
      const { exited } = start(
        directory,
        ["pipe", "ignore", fd],
        ["--only", "integrity", "--host", "192.0.2.1"],
      );
      closeSync(fd);
      expect(await exited).toEqual([1, null]);
    });
  });

  test("a server with its log on a terminal that was closed serves requests, and ends with code 0", async ({
    directory,
    skip,
  }) => {
    skipWithout("script", skip);
    const file = (name: string): string => join(directory, name);
    const program = `"${process.execPath}" "${WAYBILL}" serve --data-dir "${file("data")}" --integrity-port 0 --messaging-data-port 0 --registry-port 0 --admin-port 0`;
    // A separate session, so that the process gets no signal when the terminal closes.
    const script = `${program} & echo $! > "${file("pid")}"; wait $!; echo $? > "${file("code")}"`;
    const terminal = spawn(
      "script",
      ["--quiet", "--command", `setsid --wait sh -c '${script}'`, "/dev/null"],
      {
        stdio: ["pipe", "pipe", "ignore"],
      },
    );
    const lines = createInterface(terminal.stdout);
    let urls: Addresses | undefined;
    for await (const line of lines) {
      if (!line.includes('"ready"')) continue;
      urls = JSON.parse(line) as Addresses;
      break;
    }
    terminal.kill("SIGKILL");
    await once(terminal, "exit");
    if (urls === undefined) throw new Error("the server ended before it was ready");
    const pid = Number(readFileSync(file("pid"), "utf8"));
    try {
      await expectServed(urls);
      await poll(
        () => droppedBy(urls),
        (dropped) => dropped >= 20,
      );
    } finally {
      process.kill(pid, "SIGTERM");
    }
    await poll(() => existsSync(file("code")) && readFileSync(file("code"), "utf8").endsWith("\n"));
    expect(readFileSync(file("code"), "utf8")).toBe("0\n");
  });
});

test("a server with a full standard output serves requests, and logs the problem", async ({ directory }) => {
  const port = await freePort();
  const full = openSync("/dev/full", "w");
  const args = ["--admin-port", String(port), "--only", "integrity"];
  const { child, exited } = start(directory, ["pipe", full, "pipe"], args);
  closeSync(full);
  const log = textOf(child.stderr as Readable);
  await poll(log, (text) => text.includes("cannot write to stdout"));
  expect((await send(`http://127.0.0.1:${port}`, "/readyz")).status).toBe(200);
  child.kill();
  expect(await exited).toEqual([0, null]);
});
