import { join } from "node:path";
import { WaybillClient } from "@waybill/client";
import { simulatedEvents } from "../support/data/event-file.js";
import type { Measurement } from "../support/measurement.js";
import { rolledUp } from "../support/metrics.js";
import { countProgress, progress } from "../support/progress.js";
import { peakOf } from "../support/resident-memory.js";
import type { Row } from "../support/row.js";
import { PROJECT, startWaybill } from "../support/waybill-server.js";

const MAX_MIB = 700;
const FACTOR = 4;
/** Maximum ratio between two runs that counts as equal. */
const TOLERANCE = 1.1;

/** Peak memory of a server that imports and rolls up a day of events, and a larger day. */
export const memoryRow: Row = {
  name: "memory",
  measure: async ({ memoryEvents: count }, directory) => {
    const peak = await peakMemory(join(directory, "1"), count);
    const peakOfMore = await peakMemory(join(directory, String(FACTOR)), FACTOR * count);
    return [
      line(`peak memory, ${count.toLocaleString("en-US")} events`, peak, "-", `≤ ${MAX_MIB} MiB`, peak <= MAX_MIB),
      line(
        `peak memory, ${FACTOR} times the events`,
        peakOfMore,
        (peakOfMore / peak).toFixed(2),
        `≤ ${MAX_MIB} MiB, ≤ ${TOLERANCE.toFixed(2)}`,
        peakOfMore <= MAX_MIB && peakOfMore <= TOLERANCE * peak,
      ),
    ];
  },
};

function line(what: string, mib: number, ratio: string, reach: string, reached: boolean): Measurement {
  return { what, waybill: `${Math.round(mib)} MiB`, reference: "-", ratio, reach, reached };
}

/** Imports `count` events of one day into a new server, and waits for their rollup. Returns the peak memory in MiB. */
async function peakMemory(directory: string, count: number): Promise<number> {
  const server = await startWaybill(directory);
  try {
    const report = countProgress(`importing ${count} events`, count);
    await new WaybillClient(server).importEvents({
      project: PROJECT,
      events: simulatedEvents(count, 1),
      onProgress: ({ importedCount }) => report(importedCount),
    });
    await rolledUp(server);
    const mib = peakOf(server.pid);
    progress(`  peak: ${Math.round(mib)} MiB`);
    return mib;
  } finally {
    await server.stop();
  }
}
