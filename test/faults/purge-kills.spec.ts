import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { EmbeddedRecords } from "../../src/control/embedded/embedded-records.js";
import { PROJECT_KINDS } from "../../src/control/records.js";
import { systemClock } from "../../src/model/clock.js";
import { Random } from "../../src/simulator/random.js";
import { DuckDbStore } from "../../src/store/duckdb/duckdb-store.js";
import { contentOf, fill, NOTHING } from "../../src/store/testing/conformance/erasure-conformance.js";
import { OTHER_PROJECT, PROJECT } from "../../src/store/testing/test-events.js";
import { packagePath } from "../support/package-path.js";
import { testDirectory } from "../support/test-directory.js";

const PROGRAM = packagePath("test/support/servers/purge-project.mjs");
/** Maximum delay of a kill after a line, in milliseconds, so that kills hit each stage of a step. */
const MAX_DELAY_MS = 15;
/** Every process completes at least one step, so far fewer are needed. */
const MAX_PROCESSES = 100;

/**
 * Erases the project in a process that is killed soon after it prints the line with this number. Returns true if the
 * process exited before.
 */
async function purgeUntilKilled(directory: string, lines: number, delayMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, directory, PROJECT], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let printed = 0;
  let isPurged = false;
  for await (const line of createInterface(child.stdout)) {
    if (line === "purged") isPurged = true;
    if (++printed !== lines) continue;
    await sleep(delayMs);
    child.kill("SIGKILL");
  }
  await exited;
  return isPurged;
}

it("PurgeJob erases everything in a project, and nothing in others, even if processes are killed at any point", async () => {
  const path = await testDirectory();
  const store = await DuckDbStore.open({ directory: path, memoryLimit: "256MB" });
  for (const project of [PROJECT, OTHER_PROJECT]) await fill(store, project);
  const before = await contentOf(store, OTHER_PROJECT);
  await store.close();
  const records = await EmbeddedRecords.open(path, systemClock);
  const keysOf = async () =>
    Promise.all(
      PROJECT_KINDS.map(async (kind) => (await records.list(kind, { limit: 9 })).map(({ key }) => key)),
    );
  for (const kind of PROJECT_KINDS) {
    for (const key of [`${PROJECT}/app`, `${OTHER_PROJECT}/app`])
      await records.change([{ kind, key, value: key }]);
  }

  const random = new Random(7);
  let processes = 1;
  while (!(await purgeUntilKilled(path, 3 + random.below(4), random.below(MAX_DELAY_MS)))) {
    expect(++processes).toBeLessThan(MAX_PROCESSES);
  }
  expect(processes).toBeGreaterThan(2);

  const after = await DuckDbStore.open({ directory: path, memoryLimit: "256MB" });
  expect(await contentOf(after, PROJECT)).toEqual(NOTHING);
  expect(await contentOf(after, OTHER_PROJECT)).toEqual(before);
  expect(await after.erase(PROJECT)).toBe(true);
  expect(await keysOf()).toEqual(PROJECT_KINDS.map(() => [`${OTHER_PROJECT}/app`]));
  await after.close();
  await records.close();
});
