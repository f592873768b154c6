// Loaded into the server before its own program. Lets the soak shift the clock, measure settled memory, and
// force frequent checkpoints. The product does not contain it.
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";
import type * as DatabaseModule from "../../src/store/duckdb/database.js";
import { packagePath } from "../../test/support/package-path.js";
import type { Instruction, MemoryUsage } from "./instructions.js";

/** Garbage collections after which no further memory is freed. */
const COLLECTIONS = 4;

// The server's worker threads load this module too.
if (isMainThread) {
  shiftClockOnMessage();
  await checkpointOften();
  // Exits with the soak, which can no longer stop this server.
  process.on("disconnect", () => process.exit(1));
  process.channel?.unref();
}

function shiftClockOnMessage(): void {
  const RealDate = Date;
  let offset = 0;
  const now = (): number => RealDate.now() + offset;
  class ShiftedDate extends RealDate {
    constructor(...parts: [] | [number | string | Date]) {
      if (parts.length === 0) super(now());
      else super(...parts);
    }
    static override now = now;
  }
  globalThis.Date = ShiftedDate as DateConstructor;
  process.on("message", (instruction: Instruction) => {
    if ("clockOffset" in instruction) offset = instruction.clockOffset;
    else settleMemory().then((usage) => process.send?.(usage), reportAndExit);
  });
}

/** Sets the checkpoint threshold, an option of the store without a configuration key. */
async function checkpointOften(): Promise<void> {
  const checkpointThreshold = process.env.SOAK_CHECKPOINT_THRESHOLD;
  if (checkpointThreshold === undefined) return;
  const url = pathToFileURL(packagePath("dist/store/duckdb/database.js")).href;
  const { Database } = (await import(url)) as typeof DatabaseModule;
  const open = Database.open.bind(Database);
  Database.open = (options) => open({ ...options, checkpointThreshold });
}

async function settleMemory(): Promise<MemoryUsage> {
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external };
}

function reportAndExit(error: unknown): void {
  console.error(error);
  process.exit(1);
}
