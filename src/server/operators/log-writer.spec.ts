import { execFileSync } from "node:child_process";
import { pbkdf2 } from "node:crypto";
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PATIENCE_MS } from "../../../test/support/poll.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { LogWriter } from "./log-writer.js";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const MAX_WAITING = 512_000;
/** A pipe of 64 KiB ends within such a line. */
const LINE = `${"x".repeat(999)}\n`;

let directory: string;
let dropped: number;
let opened: number[];
beforeEach(async () => {
  directory = await testDirectory();
  dropped = 0;
  opened = [];
});
afterEach(async () => {
  for (const fd of opened) closeSync(fd);
});

function open(path: string, flags: string | number): number {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
}

function close(fd: number): void {
  opened = opened.filter((other) => other !== fd);
  closeSync(fd);
}

const until = (isTrue: () => boolean): Promise<boolean> =>
  vi.waitUntil(isTrue, { interval: 1, timeout: PATIENCE_MS });

const writerTo = (fd: number): LogWriter =>
  new LogWriter(fd, {
    maxWaiting: MAX_WAITING,
    noticeOf: (lines) => `${lines} dropped\n`,
    onDropped: (lines) => {
      dropped += lines;
    },
  });

/** A pipe and its reader. Both are non-blocking. */
function openPipe(): { readonly path: string; readonly reader: number; readonly fd: number } {
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = open(path, O_RDONLY | O_NONBLOCK);
  return { path, reader, fd: open(path, O_WRONLY | O_NONBLOCK) };
}

/** Reads from a pipe until the received text ends with a string. @returns all text read. */
async function readUntil(reader: number, end: string): Promise<string> {
  let text = "";
  await until(() => {
    text += readAll(reader);
    return text.endsWith(end);
  });
  return text;
}

const CHUNK = Buffer.alloc(MAX_WAITING);

/** Reads from a pipe once. @returns an empty string if it contains nothing at the moment. */
function readChunk(reader: number, into: Buffer = CHUNK): string {
  try {
    return into.toString("latin1", 0, readSync(reader, into));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "";
    throw error;
  }
}

/** Reads a pipe until it is empty. */
function readAll(reader: number): string {
  let text = "";
  for (let chunk = readChunk(reader); chunk !== ""; chunk = readChunk(reader)) text += chunk;
  return text;
}

test("LogWriter writes lines in order", async () => {
  const path = join(directory, "log");
  const writer = writerTo(open(path, "w"));
  for (const line of ["a\n", "b\n", "c\n"]) writer.write(line);
  expect(readFileSync(path, "utf8")).toBe("");
  await until(() => readFileSync(path, "utf8") !== "");
  writer.write("ä\n");
  await until(() => readFileSync(path, "utf8") === "a\nb\nc\nä\n");
  expect(dropped).toBe(0);
});

test("LogWriter writes waiting lines once when the process exits", () => {
  const path = join(directory, "log");
  const writer = writerTo(open(path, "w"));
  writer.write("a\n");
  writer.flushSync();
  writer.flushSync();
  expect(readFileSync(path, "utf8")).toBe("a\n");
});

test("LogWriter keeps lines that are being written when the process exits", async () => {
  const path = join(directory, "log");
  const writer = writerTo(open(path, "a"));
  // Node.js writes when one of its four threads is free.
  const busy = Array.from({ length: 4 }, () => promisify(pbkdf2)("", "", 300_000, 64, "sha512"));
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  writer.write("first\n");
  vi.runAllTimers();
  vi.useRealTimers();
  writer.write("other\n");
  writer.flushSync();
  await Promise.all(busy);
  await until(() => readFileSync(path, "utf8").length === 12);
  expect(readFileSync(path, "utf8").split("\n").sort()).toEqual(["", "first", "other"]);
});

describe.skipIf(process.platform !== "linux")("LogWriter with a full disk", () => {
  test("drops and counts lines", async () => {
    const writer = writerTo(open("/dev/full", "w"));
    writer.write("a\n");
    writer.write("b\n");
    await until(() => dropped === 2);
    writer.write("c\n");
    await until(() => dropped === 3);
    writer.write("d\n");
    writer.flushSync();
    expect(dropped).toBe(4);
  });
});

describe("LogWriter with a pipe", () => {
  test("reports dropped lines once the pipe has a reader again", async () => {
    const { path, reader, fd } = openPipe();
    const writer = writerTo(fd);
    writer.write("a\n");
    await until(() => readAll(reader) === "a\n");
    close(reader);
    writer.write("b\n");
    writer.write("c\n");
    await until(() => dropped === 2);
    const next = open(path, O_RDONLY | O_NONBLOCK);
    writer.write("d\n");
    expect(await readUntil(next, "d\n")).toBe("2 dropped\nd\n");
    writer.write("e\n");
    expect(await readUntil(next, "e\n")).toBe("e\n");
  });

  test("ends a truncated line before it reports dropped lines", async () => {
    const { path, reader, fd } = openPipe();
    const writer = writerTo(fd);
    const count = MAX_WAITING / LINE.length;
    for (let written = 0; written < count; written++) writer.write(LINE);
    // The other lines wait for a reader that disconnects.
    const some = Buffer.alloc(10 * LINE.length);
    await until(() => readChunk(reader, some) !== "");
    close(reader);
    await until(() => dropped > 0);
    const next = open(path, O_RDONLY | O_NONBLOCK);
    writer.write("last\n");
    // The pipe still contains earlier lines.
    expect(await readUntil(next, "last\n")).toMatch(/^[x\n]*\n\d+ dropped\nlast\n$/);
  });

  test("keeps lines up to a limit for a reader that stalls, and drops further lines", async () => {
    const { reader, fd } = openPipe();
    const writer = writerTo(fd);
    const count = (2 * MAX_WAITING) / LINE.length;
    for (let written = 0; written < count; written++) writer.write(LINE);
    expect(dropped).toBe(count / 2);
    writer.write("not any more\n");
    expect(dropped).toBe(count / 2 + 1);
    const kept = `${count / 2 + 1} dropped\n${LINE.repeat(count / 2)}`;
    expect(await readUntil(reader, kept)).toBe(kept);
    // The writer may notice free space later than the reader.
    await until(() => {
      const before = dropped;
      writer.write("last\n");
      return dropped === before;
    });
    expect(await readUntil(reader, "last\n")).toMatch(/^(?:\d+ dropped\n)?last\n$/);
  });

  test("accepts more lines as soon as a part of the earlier lines was written", async () => {
    const { reader, fd } = openPipe();
    const writer = writerTo(fd);
    const accepts = (line: string): boolean => {
      const before = dropped;
      writer.write(line);
      return dropped === before;
    };
    for (let written = 0; written < MAX_WAITING / LINE.length; written++) writer.write(LINE);
    // The pipe's buffer accepts some of them without a reader.
    await until(() => accepts(LINE));
    // Otherwise the writer would write the remaining lines to the next file with this descriptor.
    await until(() => {
      readAll(reader);
      return accepts("last\n");
    });
    await readUntil(reader, "last\n");
  });

  test("stops waiting for a stalled reader when the process exits", async () => {
    const { reader, fd } = openPipe();
    writeSync(fd, Buffer.alloc(4 * 1024 * 1024));
    const writer = writerTo(fd);
    writer.write("a\n");
    writer.flushSync();
    // Without a reader, the line is not written yet.
    expect(await readUntil(reader, "a\n")).toContain("a\n");
  });
});
