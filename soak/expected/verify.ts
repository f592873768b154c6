import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedRecords } from "#dist/control/embedded/embedded-records.js";
import { type ConfigChange, readConfigChanges } from "../../src/integrity/app-attest-configs.js";
import { systemClock } from "../../src/model/clock.js";
import type { Random } from "../../src/simulator/random.js";
import type { Caller } from "../callers/caller.js";
import { PROJECTS } from "../server/config.js";
import { importNext } from "../work/importers.js";
import { walk } from "../work/readers.js";
import { NEVER } from "../work/rude-client.js";
import { parentOf, type World } from "../work/world.js";
import { difference, entriesOf } from "./entry-order.js";

/**
 * Time limit for listing everything after the last import, in milliseconds; a day pauses for at most ten
 * seconds between rollups.
 */
const MAX_ROLLUP = 60_000;
const LOOK_AGAIN = 200;
/** Number of concurrent imports that finish the queue. */
const IMPORTERS = 3;

/** Time limit for the last imports on an undisturbed server, in milliseconds. */
const MAX_FINISH = 300_000;

/** Sends every import that is not acknowledged yet. @throws Error after the time limit. */
export async function finishImports(world: World, random: Random): Promise<void> {
  const deadline = performance.now() + MAX_FINISH;
  const finish = async (): Promise<void> => {
    while (!world.queue.isEmpty) {
      if (performance.now() > deadline) throw new Error("the server accepts no imports any more");
      await importNext(world, random).catch(() => sleep(LOOK_AGAIN));
      // Another importer is sending the last requests.
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: IMPORTERS }, finish));
}

/**
 * Compares everything that a server lists with everything that it has acknowledged, without clients at work
 * or injected failures. Growing traffic is settled afterwards.
 * @param dataDir records directory.
 */
export async function verify(world: World, dataDir: string): Promise<void> {
  const { violations, twins, settled, growing, ledger } = world;
  // One caller is enough, because readers check all protocols while clients work.
  const [caller] = world.callers;
  if (caller === undefined) throw new Error("there is no caller");
  for (const { project, entries } of [...settled, ...growing]) {
    for (const [app, expected] of entries) {
      const wrong = await lastDifference(async () =>
        difference(entriesOf(await walk(world, caller, parentOf(project, app), 10_000)), expected),
      );
      if (wrong !== undefined) violations.add(`${app} differs from the imports: ${wrong}`);
    }
  }
  settled.push(...growing);
  world.growing = [];
  for (const pair of twins) {
    const wrong = await lastDifference(async () => {
      const [page = {}] = await walk(world, caller, parentOf(pair.project, pair.app), 1_000);
      const count = pair.countIn(page);
      return count === pair.acknowledged ? undefined : `${count} imports, not ${pair.acknowledged}`;
    });
    if (wrong !== undefined) violations.add(`${pair.app} of ${pair.project}: ${wrong}`);
  }
  for (const { id } of PROJECTS) {
    const entries = entriesOf(await walk(world, caller, parentOf(id, NEVER), 10));
    if (entries.length > 0) violations.add(`events of requests that were cut short are listed in ${id}`);
  }
  const records = await EmbeddedRecords.open(dataDir, systemClock);
  const changes = await readConfigChanges(records).finally(() => records.close());
  for (const wrong of ledger.violations(changes)) violations.add(`history: ${wrong}`);
  await verifyConfigs(world, caller, changes);
}

/** Checks that reads return the last change of the history. */
async function verifyConfigs(
  { calls, violations }: World,
  caller: Caller,
  changes: readonly ConfigChange[],
): Promise<void> {
  const latest = new Map(changes.map((change) => [`${change.project}/${change.appId}`, change]));
  for (const { project, appId, tokenTtl } of latest.values()) {
    const name = `projects/${project}/apps/${appId}/appAttestConfig`;
    const config = await calls.responded(caller.protocol, "get", () => caller.getConfig(name));
    if (config.tokenTtl !== tokenTtl) {
      violations.add(`${name}: ${config.tokenTtl} is read, ${tokenTtl} is in the history`);
    }
  }
}

/** Repeats a check until it finds nothing wrong or time runs out. */
async function lastDifference(look: () => Promise<string | undefined>): Promise<string | undefined> {
  const deadline = performance.now() + MAX_ROLLUP;
  for (;;) {
    const wrong = await look().catch((error: unknown) => String(error));
    if (wrong === undefined || performance.now() > deadline) return wrong;
    await sleep(LOOK_AGAIN);
  }
}
