import { join } from "node:path";
import { importDay } from "../support/day-import.js";
import type { Measurement } from "../support/measurement.js";
import type { Row } from "../support/row.js";

const MAX_MIB = 700;
const FACTOR = 4;
/** Maximum ratio between two runs that counts as equal. */
const TOLERANCE = 1.1;

/** Peak memory of a server that imports and rolls up a day of events, and a larger day. */
export const memoryRow: Row = {
  name: "memory",
  measure: async ({ memoryEvents: count }, directory) => {
    const { peakMib: peak } = await importDay(join(directory, "1"), count);
    const { peakMib: peakOfMore } = await importDay(join(directory, String(FACTOR)), FACTOR * count);
    return [
      line(
        `peak memory, ${count.toLocaleString("en-US")} events`,
        peak,
        "-",
        `≤ ${MAX_MIB} MiB`,
        peak <= MAX_MIB,
      ),
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

function line(what: string, mib: number, ratio: string, target: string, isMet: boolean): Measurement {
  return { what, waybill: `${Math.round(mib)} MiB`, reference: "-", ratio, target, isMet };
}
