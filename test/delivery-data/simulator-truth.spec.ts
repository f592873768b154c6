import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { allPages, type Entry, inListOrder, listOf } from "../support/data/delivery-data.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

/** Runs `waybill simulate`; returns the expected entries by app. */
async function simulate(out: string, flags: readonly string[]): Promise<Map<string, Entry[]>> {
  const expected = `${out}.expected`;
  const { code, stderr } = await runInProcess(["simulate", ...flags, "--out", out, "--expect", expected]);
  expect([code, stderr]).toEqual([0, ""]);
  const entries = new Map<string, Entry[]>();
  for (const line of (await readFile(expected, "utf8")).trimEnd().split("\n")) {
    const entry = JSON.parse(line) as Entry;
    entries.set(entry.appId, [...(entries.get(entry.appId) ?? []), entry]);
  }
  return entries;
}

const test = serving.override("config", {
  projects: ["of-a-file", "of-a-gzip-file", "of-standard-input"].map((id, index) => ({
    id,
    number: String(500_000_000_000 + index),
  })),
  access: [{ principal: EDITOR, projects: "*", role: "editor" }],
});

async function importFile(
  server: Server,
  token: string,
  project: string,
  file: string,
  input?: Buffer,
): Promise<void> {
  const target = ["--server", server.messagingDataUrl, "--project", project, "--token", token];
  const { code, stdout, stderr } = await runInProcess(["import", file, ...target], input);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/: \d+ events imported, \d+ opted out\n$/);
}

test.for([
  ["a file", "of-a-file", "events.ndjson", ["--messages", "20000", "--days", "14", "--seed", "7"]],
  [
    "a gzip file, over the change to daylight saving time",
    "of-a-gzip-file",
    "spring.ndjson.gz",
    ["--messages", "5000", "--days", "3", "--start", "2025-03-08", "--apps", "1", "--labels", "400"],
  ],
  [
    "standard input, over the change from daylight saving time",
    "of-standard-input",
    "-",
    ["--messages", "5000", "--days", "3", "--start", "2025-11-01", "--apps", "5", "--labels", "0"],
  ],
] as const)(
  "the list has the entries that the simulator expects after an import from %s",
  async ([_, project, name, flags], { directory, server, editor }) => {
    const file = join(directory, name === "-" ? "input.ndjson" : name);
    const expected = await simulate(file, flags);
    if (name === "-") await importFile(server, editor, project, "-", await readFile(file));
    else await importFile(server, editor, project, file);
    const listed = async (appId: string, pageSize: number): Promise<Entry[]> => {
      const target = `${listOf(appId, project)}?pageSize=${pageSize}`;
      const pages = await allPages(server.messagingDataUrl, target, editor);
      return pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData);
    };
    for (const [appId, entries] of expected) {
      await poll(() => listed(appId, 10_000), entries);
      expect(await listed(appId, 7)).toEqual(entries);
    }
    const ofAllApps = [...expected.values()].flat().sort(inListOrder);
    expect(await listed("-", 100)).toEqual(ofAllApps);
  },
);
