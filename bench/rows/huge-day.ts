import { join } from "node:path";
import { importDay, rollupShareLine } from "../support/day-import.js";
import type { Measurement } from "../support/measurement.js";
import type { Row } from "../support/row.js";

/** Maximum ratio to the smaller day. */
const MOST = 1.1;

/** Import of a day that is larger than all others in the benchmark, compared with a large day. */
export const hugeDayRow: Row = {
  name: "huge-day",
  measure: async ({ hugeDayEvents: count, largeDayEvents: fewer }, directory) => {
    const reference = await importDay(join(directory, "large"), fewer);
    const day = await importDay(join(directory, "huge"), count);
    const what = `import of a day of ${count.toLocaleString("en-US")} events`;
    const microseconds = (ms: number): string => `${(1_000 * ms).toFixed(2)} µs`;
    const mib = (size: number): string => `${Math.round(size)} MiB`;
    return [
      line(`${what}: time for an event`, day.ms / count, reference.ms / fewer, microseconds),
      line(`${what}: peak memory`, day.peakMib, reference.peakMib, mib),
      rollupShareLine(count, day),
    ];
  },
};

function line(
  what: string,
  figure: number,
  reference: number,
  format: (figure: number) => string,
): Measurement {
  const ratio = figure / reference;
  return {
    what,
    waybill: format(figure),
    reference: format(reference),
    ratio: ratio.toFixed(2),
    target: `≤ ${MOST.toFixed(2)}`,
    isMet: ratio <= MOST,
  };
}
