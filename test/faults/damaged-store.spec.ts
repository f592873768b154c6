import { statSync, truncateSync, writeFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect } from "vitest";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { it, test } from "../support/servers/process-fixtures.js";
import { EDITOR } from "../support/servers/project.js";
import { startProcess } from "../support/servers/server-process.js";

const APP = "damaged";

/** Directory of a server that was stopped cleanly, and a copy to damage. */
let sound: string;
let copy: string;
test.beforeAll(async ({ sharedDirectory }) => {
  sound = join(sharedDirectory, "sound");
  copy = join(sharedDirectory, "copy");
  await mkdir(sound);
  const server = await startProcess(sound);
  const token = await server.token(EDITOR);
  const events = Array.from({ length: 20_000 }, (_, i) => ({
    ...accepted(APP, "2026-01-02T20:00:00Z"),
    messageId: `message-${i}`,
    analyticsLabel: `label-${i}`,
  }));
  expect((await postEvents(server, token, ndjson(events))).status).toBe(200);
  await entriesOnceThey(server, token, APP, ({ length }) => length === events.length);
  await server.stop();
});
beforeEach(async () => {
  await rm(copy, { recursive: true, force: true });
  // SQLite removes these files when the last process has closed the records, which may be this one, later.
  const isKept = (path: string): boolean => !/records\.db-(shm|wal)$/.test(path);
  await cp(sound, copy, { recursive: true, filter: isKept });
});

const databaseIn = (path: string): string => join(path, "data", "waybill.duckdb");

/** Outcome of a start that is expected to fail. */
async function failedStart(path: string): Promise<string> {
  const outcome = await startProcess(path).catch((error: Error) => error.message);
  if (typeof outcome === "string") return outcome;
  await outcome.stop();
  return "it started";
}

describe("the server rejects a truncated database file with a one-line message", () => {
  test.each<[string, (size: number) => number]>([
    ["a byte short", (size) => size - 1],
    ["a page short", (size) => size - 4096],
    ["a block short", (size) => size - 262_144],
    ["half of it", (size) => Math.floor(size / 2)],
    ["its headers", () => 12_288],
    ["a part of its headers", () => 5_000],
    ["nothing", () => 0],
  ])("with this remaining content: %s", async (_, lengthOf) => {
    const file = databaseIn(copy);
    truncateSync(file, lengthOf(statSync(file).size));
    expect(await failedStart(copy)).toMatch(
      /^waybill serve ended with 1:\nwaybill: [^\n]*(damaged|not a valid)[^\n]*\n$/,
    );
  });
});

it("the server does not start with a database log but no database file", async () => {
  await rm(databaseIn(copy));
  writeFileSync(`${databaseIn(copy)}.wal`, "log");
  expect(await failedStart(copy)).toMatch(/^waybill serve ended with 1:\nwaybill: [^\n]*is missing[^\n]*\n$/);
});

it("the server starts with an undamaged database", async () => {
  expect(await failedStart(copy)).toBe("it started");
});
