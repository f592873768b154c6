import type { Random } from "../../src/simulator/random.js";
import { CallFailure } from "../callers/call-failure.js";
import { APPS, PROJECTS } from "../server/config.js";
import { oneOf } from "./pacing.js";
import type { World } from "./world.js";

/** Reads a random app's configuration and changes it, unless it was changed in the meantime. */
export async function changeSome(world: World, random: Random): Promise<void> {
  const { calls, callers, ledger, violations } = world;
  const { number } = oneOf(PROJECTS, random);
  const name = `projects/${number}/apps/${oneOf(APPS, random)}/appAttestConfig`;
  const [reader, writer] = [oneOf(callers, random), oneOf(callers, random)];
  const { etag, tokenTtl: read } = await calls.once(reader.protocol, "get", () => reader.getConfig(name));
  // A configuration that was never changed has no etag, and its change is not guarded.
  const tokenTtl = ledger.begin(etag === undefined ? undefined : read);
  try {
    const config = { name, tokenTtl, ...(etag !== undefined && { etag }) };
    const changed = await calls.once(writer.protocol, "update", () => writer.changeConfig(config), [
      "ABORTED",
    ]);
    ledger.settle(tokenTtl, "acknowledged");
    if (changed.tokenTtl !== tokenTtl) {
      violations.add(`${writer.protocol}: a change to ${tokenTtl} got ${changed.tokenTtl}`);
    }
  } catch (error) {
    // This client retries on its own: ABORTED may be due to its own change.
    const rejected =
      error instanceof CallFailure && error.code === "ABORTED" && writer.protocol !== "@waybill/client";
    ledger.settle(tokenTtl, rejected ? "rejected" : "unknown");
    throw error;
  }
}

/** Reads the configurations of all apps of a project at once. */
export async function readConfigs({ calls, callers, violations }: World, random: Random): Promise<void> {
  const { number } = oneOf(PROJECTS, random);
  const caller = oneOf(callers, random);
  const configs = await calls.once(caller.protocol, "batchGet", () => caller.batchGetConfigs(number, APPS));
  const names = configs.map(({ name }) => name).join();
  const wanted = APPS.map((app) => `projects/${number}/apps/${app}/appAttestConfig`).join();
  if (names !== wanted) violations.add(`${caller.protocol}: batchGet returned ${names}`);
}
