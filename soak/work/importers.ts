import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Random } from "../../src/simulator/random.js";
import { waybill } from "../../test/support/servers/waybill-command.js";
import { CallFailure } from "../callers/call-failure.js";
import type { Twins } from "../expected/twins.js";
import { oneOf } from "./pacing.js";
import type { World } from "./world.js";

/** Sends a request by a random protocol; on failure, the request returns to the queue. */
export async function importNext(
  { queue, calls, callers, violations }: World,
  random: Random,
): Promise<void> {
  const next = queue.take(random);
  if (next === undefined) return;
  const { project, batch } = next;
  const caller = oneOf(callers, random);
  try {
    const count = await calls.once(caller.protocol, "import", () =>
      caller.importEvents(project, batch.bytes),
    );
    queue.acknowledge(next);
    if (count !== batch.lines) {
      violations.add(`${caller.protocol}: import: ${batch.lines} events were acknowledged as ${count}`);
    }
  } catch (error) {
    queue.giveBack(next);
    throw error;
  }
}

/** Sends a request with `waybill import`, which retries on its own. */
export async function importByCommand({ queue, calls, target }: World, random: Random): Promise<void> {
  const next = queue.take(random);
  if (next === undefined) return;
  const directory = await mkdtemp(join(tmpdir(), "waybill-soak-"));
  try {
    const packed = random.chance(0.5);
    const file = join(directory, packed ? "events.ndjson.gz" : "events.ndjson");
    await writeFile(file, packed ? gzipSync(next.batch.bytes) : next.batch.bytes);
    await calls.once("waybill import", "import", async () => {
      const flags = ["--server", target.messagingDataUrl, "--project", next.project, "--token", target.token];
      const { code, stderr } = await waybill(["import", file, ...flags]);
      if (code !== 0) throw new CallFailure("UNAVAILABLE", "", stderr);
    });
    queue.acknowledge(next);
  } catch (error) {
    queue.giveBack(next);
    throw error;
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Sends the next import of twins until it is acknowledged. */
export async function importTwins({ calls, callers }: World, twins: Twins, random: Random): Promise<void> {
  const { bytes } = twins.next();
  // Each attempt picks a random protocol.
  const protocol = "twins";
  await calls.responded(protocol, "import", () => oneOf(callers, random).importEvents(twins.project, bytes));
  twins.acknowledge();
}
