import { WaybillClient } from "@waybill/client";
import { appIds } from "#dist/simulator/simulate-traffic.js";
import type { Latencies, LatencyQuestion } from "../processes/get-client.js";
import { DAY } from "../support/data/day-store.js";
import { DAYS, makeEntries } from "../support/data/delivery-data.js";
import { FIRST_DAY } from "../support/data/event-file.js";
import { acceptedListed } from "../support/data/listed.js";
import { importSimulated, rollupShareLine, timeUntilRolledUp } from "../support/day-import.js";
import { duration, figureLine, type Measurement } from "../support/measurement.js";
import { rolledUp } from "../support/metrics.js";
import { Process } from "../support/process.js";
import { untilIdle } from "../support/processor-time.js";
import type { Row } from "../support/row.js";
import { PROJECT, REGISTERED_APP, startWaybill, type WaybillServer } from "../support/waybill-server.js";

const BATCH_BYTES = 16 * 1024 * 1024;
const IDLE_SECONDS = 5;
/** Duration of one latency measurement during the import, in seconds. */
const SLICE_SECONDS = 10;
const PAGE_SIZE = 100;
const LATE_EVENTS = 1_000;
const LATE_LABEL = "late";

const MAX_RATIO = 6;
const MAX_P99_MS = 40;
const MAX_LISTED_MS = 2_000;

/**
 * A large day that is imported at full speed: the share of time spent in rollups, the latency of reads, and the time
 * until late events are listed.
 */
export const busyDayRow: Row = {
  name: "busy-day",
  measure: async ({ largeDayEvents: count, uncachedApps }, directory) => {
    const apps = appIds(uncachedApps);
    // On earlier days, so that rollups of the imported day do not replace these entries.
    await makeEntries(directory, apps, PAGE_SIZE, { firstDay: DAY - DAYS });
    const server = await startWaybill(directory);
    const observer = new Process<LatencyQuestion, Latencies>("get-client");
    try {
      const reads = readsOf(server, apps);
      // Prepares the page that is read during the import.
      await importSimulated(server, 10_000);
      await rolledUp(server);
      // The server looks for incidents in the entries of all apps.
      await untilIdle(server.pid);
      const observe = ({ urls }: ObservedRead, seconds: number): Promise<Latencies> =>
        observer.ask({ urls, token: server.token, seconds });
      const idle: Latencies[] = [];
      for (const read of reads) {
        await observe(read, 1);
        idle.push(await observe(read, IDLE_SECONDS));
      }
      let isOver = false;
      const importing = timeUntilRolledUp(server, () =>
        importSimulated(server, count, BATCH_BYTES).finally(() => {
          isOver = true;
        }),
      );
      const busy = reads.map((): Latencies[] => []);
      for (let round = 0; round === 0 || !isOver; round++) {
        for (const [index, read] of reads.entries()) busy[index]?.push(await observe(read, SLICE_SECONDS));
      }
      const time = await importing;
      const listed = await timeUntilLateEventsAreListed(server);
      return [
        rollupShareLine(count, time),
        ...reads.map(({ what }, index) => latencyLine(what, idle[index], busy[index] ?? [])),
        figureLine(
          `${LATE_EVENTS.toLocaleString("en-US")} late events of that day, until listed`,
          duration(listed),
          `≤ ${duration(MAX_LISTED_MS)}`,
          listed <= MAX_LISTED_MS,
        ),
      ];
    } finally {
      await server.stop();
      await observer.stop();
    }
  },
};

/** A read during the import. The URLs are requested one after another, repeatedly. */
interface ObservedRead {
  readonly what: string;
  readonly urls: readonly string[];
}

/** Returns a `get`, a list that is usually cached, and lists that are not, because caches keep fewer pages. */
function readsOf({ integrityUrl, messagingDataUrl }: WaybillServer, apps: readonly string[]): ObservedRead[] {
  const pageOf = (app: string): string =>
    `${messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/${app}/deliveryData?pageSize=${PAGE_SIZE}`;
  const [cached = "", ...uncached] = apps;
  return [
    {
      what: "get during that import",
      urls: [`${integrityUrl}/v1/projects/${PROJECT}/apps/${REGISTERED_APP}/appAttestConfig`],
    },
    { what: "list, 100 entries, during that import", urls: [pageOf(cached)] },
    { what: "list, 100 entries, each of another app, during it", urls: uncached.map(pageOf) },
  ];
}

async function timeUntilLateEventsAreListed(server: WaybillServer): Promise<number> {
  const events = Array.from({ length: LATE_EVENTS }, (_, index) => ({
    appId: appIds(1)[0],
    messageId: `late-${index}`,
    eventTime: `${FIRST_DAY}T20:00:00Z`,
    eventType: "ACCEPTED",
    analyticsLabel: LATE_LABEL,
    usageReportingOptIn: true,
  }));
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  await new WaybillClient(server).importEvents({ project: PROJECT, events: [Buffer.from(lines.join(""))] });
  const start = performance.now();
  await acceptedListed(server, (listed) => listed === LATE_EVENTS, LATE_LABEL);
  return performance.now() - start;
}

/** Compares the worst measurement during the import with the idle one. */
function latencyLine(what: string, idle: Latencies | undefined, busy: readonly Latencies[]): Measurement {
  const p99 = Math.max(...busy.map((latencies) => latencies.p99));
  const ratio = p99 / (idle?.p99 ?? Number.NaN);
  return {
    what,
    waybill: `p99 ${duration(p99)}`,
    reference: `p99 ${duration(idle?.p99 ?? Number.NaN)}`,
    ratio: ratio.toFixed(1),
    target: `≤ ${MAX_RATIO}, ≤ ${MAX_P99_MS} ms`,
    isMet: ratio <= MAX_RATIO && p99 <= MAX_P99_MS,
  };
}
