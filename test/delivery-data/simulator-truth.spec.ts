import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { type Entry, inListOrder } from "../support/data/delivery-data.js";
import { entriesOf, entriesOnceThey } from "../support/data/import.js";
import { test } from "../support/servers/fixtures.js";
import { EDITOR, PROJECT } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { waybill } from "../support/servers/waybill-command.js";

/** Runs `waybill simulate`; returns the expected entries by app. */
async function simulate(out: string, flags: readonly string[]): Promise<Map<string, Entry[]>> {
  const expected = `${out}.expected`;
  const { code, stderr } = await waybill(["simulate", ...flags, "--out", out, "--expect", expected]);
  expect([code, stderr]).toEqual([0, ""]);
  const entries = new Map<string, Entry[]>();
  for (const line of (await readFile(expected, "utf8")).trimEnd().split("\n")) {
    const entry = JSON.parse(line) as Entry;
    entries.set(entry.appId, [...(entries.get(entry.appId) ?? []), entry]);
  }
  return entries;
}

async function importFile(server: Server, token: string, file: string, input?: Buffer): Promise<void> {
  const target = ["--server", server.messagingDataUrl, "--project", PROJECT.id, "--token", token];
  const { code, stdout, stderr } = await waybill(["import", file, ...target], input);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/: \d+ events imported, \d+ opted out\n$/);
}

test.for([
  ["a file", "events.ndjson", ["--messages", "20000", "--days", "14", "--seed", "7"]],
  [
    "a gzip file, over the change to daylight saving time",
    "spring.ndjson.gz",
    ["--messages", "5000", "--days", "3", "--start", "2025-03-08", "--apps", "1", "--labels", "400"],
  ],
  [
    "standard input, over the change from daylight saving time",
    "-",
    ["--messages", "5000", "--days", "3", "--start", "2025-11-01", "--apps", "5", "--labels", "0"],
  ],
] as const)(
  "the list has the entries that the simulator expects after an import from %s",
  async ([_, name, flags], { directory, openServer }) => {
    const file = join(directory, name === "-" ? "input.ndjson" : name);
    const expected = await simulate(file, flags);
    const server = await openServer();
    const token = await server.token(EDITOR);
    if (name === "-") await importFile(server, token, "-", await readFile(file));
    else await importFile(server, token, file);
    for (const [appId, entries] of expected) {
      const listed = await entriesOnceThey(server, token, appId, (found) =>
        isDeepStrictEqual(found, entries),
      );
      expect(listed).toEqual(entries);
      expect(await entriesOf(server, token, appId, 7)).toEqual(entries);
    }
    const ofAllApps = [...expected.values()].flat().sort(inListOrder);
    expect(await entriesOf(server, token, "-", 100)).toEqual(ofAllApps);
  },
);
