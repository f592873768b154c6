import { setTimeout as sleep } from "node:timers/promises";
import { readChanges } from "../../src/control/file/change-history.js";
import { durationJson } from "../../src/control/file/change-record.js";
import type { Random } from "../../src/simulator/random.js";
import type { Caller } from "../callers/caller.js";
import { PROJECTS } from "../server/config.js";
import { importNext } from "../work/importers.js";
import { walk } from "../work/readers.js";
import { NEVER } from "../work/rude-client.js";
import { parentOf, type World } from "../work/world.js";
import { difference, entriesOf } from "./entry-order.js";

/** Milliseconds from the last import until all of it must be listed: a day rests for ten seconds between rollups at most. */
const MAX_ROLLUP = 60_000;
const LOOK_AGAIN = 200;
/** Imports at the same time that finish what is left. */
const IMPORTERS = 3;

/** Milliseconds within which the last imports are acknowledged, when nothing disturbs the server any more. */
const MAX_FINISH = 300_000;

/** Sends what is not acknowledged yet, until all of it is. @throws Error if that takes too long. */
export async function finishImports(world: World, random: Random): Promise<void> {
  const deadline = performance.now() + MAX_FINISH;
  const finish = async (): Promise<void> => {
    while (!world.queue.isEmpty) {
      if (performance.now() > deadline) throw new Error("the server takes no imports any more");
      await importNext(world, random).catch(() => sleep(LOOK_AGAIN));
      // Another one has the last of them.
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: IMPORTERS }, finish));
}

/**
 * Holds all that a server tells to all that it has acknowledged, when no client is at work and no fault in force. Traffic
 * that grew is settled then.
 *
 * @param dataDir where the journal of changes is.
 */
export async function verify(world: World, dataDir: string): Promise<void> {
  const { violations, twins, settled, growing, ledger } = world;
  // Whichever speaks for all: the others are held to it while they read.
  const [caller] = world.callers;
  if (caller === undefined) throw new Error("there is no caller");
  for (const { project, entries } of [...settled, ...growing]) {
    for (const [app, expected] of entries) {
      const wrong = await lastDifference(async () =>
        difference(entriesOf(await walk(world, caller, parentOf(project, app), 10_000)), expected),
      );
      if (wrong !== undefined) violations.add(`${app} is not what was imported: ${wrong}`);
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
  for (const wrong of ledger.violations(readChanges(dataDir))) violations.add(`journal: ${wrong}`);
  await verifyConfigs(world, caller, dataDir);
}

/** What the last change in the journal says must be what is read. */
async function verifyConfigs({ calls, violations }: World, caller: Caller, dataDir: string): Promise<void> {
  const latest = new Map(readChanges(dataDir).map((change) => [`${change.project}/${change.appId}`, change]));
  for (const { project, appId, tokenTtl } of latest.values()) {
    const name = `projects/${project}/apps/${appId}/appAttestConfig`;
    const config = await calls.answered(caller.protocol, "get", () => caller.getConfig(name));
    if (config.tokenTtl !== durationJson(tokenTtl)) {
      violations.add(`${name}: ${config.tokenTtl} is read, ${durationJson(tokenTtl)} is in the journal`);
    }
  }
}

/** Looks again until nothing is wrong, or that has lasted too long. */
async function lastDifference(look: () => Promise<string | undefined>): Promise<string | undefined> {
  const deadline = performance.now() + MAX_ROLLUP;
  for (;;) {
    const wrong = await look().catch((error: unknown) => String(error));
    if (wrong === undefined || performance.now() > deadline) return wrong;
    await sleep(LOOK_AGAIN);
  }
}
