import { WaybillClient } from "@waybill/client";
import { simulatedEvents } from "./data/event-file.js";
import { duration, type Measurement } from "./measurement.js";
import { metricOf, rolledUp } from "./metrics.js";
import { countProgress, progress } from "./progress.js";
import { peakOf } from "./resident-memory.js";
import { PROJECT, startWaybill, type WaybillServer } from "./waybill-server.js";

/** Maximum share of an import's time that is spent in rollups. */
const MAX_SHARE = 0.15;

/** Time of an import of a day, until its rollup is complete. */
export interface ImportTime {
  readonly ms: number;
  readonly rollupMs: number;
}

/** Figures of an import of a day into a new server. */
export interface DayImport extends ImportTime {
  readonly peakMib: number;
}

/** Imports `count` events of one day into a new server, and waits for their rollup. */
export async function importDay(directory: string, count: number): Promise<DayImport> {
  const server = await startWaybill(directory);
  try {
    const time = await timeUntilRolledUp(server, () => importSimulated(server, count));
    const peakMib = peakOf(server.pid);
    progress(`  ${duration(time.ms)}, peak: ${Math.round(peakMib)} MiB`);
    return { ...time, peakMib };
  } finally {
    await server.stop();
  }
}

/** Imports `count` simulated events of one day. @param batchBytes request size. By default, the client's. */
export async function importSimulated(
  server: WaybillServer,
  count: number,
  batchBytes?: number,
): Promise<void> {
  const report = countProgress(`importing ${count} events`, count);
  await new WaybillClient(server).importEvents({
    project: PROJECT,
    events: simulatedEvents(count, 1),
    ...(batchBytes !== undefined && { batchBytes }),
    onProgress: ({ importedCount }) => report(importedCount),
  });
}

/** Runs an import, and waits for its rollup. */
export async function timeUntilRolledUp(
  server: WaybillServer,
  work: () => Promise<void>,
): Promise<ImportTime> {
  const before = await secondsInRollups(server);
  const start = performance.now();
  await work();
  await rolledUp(server);
  const ms = performance.now() - start;
  return { ms, rollupMs: 1_000 * ((await secondsInRollups(server)) - before) };
}

const secondsInRollups = (server: WaybillServer): Promise<number> =>
  metricOf(server, "waybill_rollup_duration_seconds_sum");

/** Formats the time that an import spent in rollups, as a share of its duration. */
export function rollupShareLine(count: number, { ms, rollupMs }: ImportTime): Measurement {
  const share = rollupMs / ms;
  return {
    what: `import of a day of ${count.toLocaleString("en-US")} events: share of rollups`,
    waybill: `${(rollupMs / 1_000).toFixed(1)} s`,
    reference: `${(ms / 1_000).toFixed(1)} s`,
    ratio: share.toFixed(2),
    target: `≤ ${MAX_SHARE.toFixed(2)}`,
    isMet: share <= MAX_SHARE,
  };
}
