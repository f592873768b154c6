import { WaybillClient } from "@waybill/client";
import { appIds } from "#dist/simulator/simulate-traffic.js";
import type { Latencies, LatencyQuestion } from "../processes/get-client.js";
import { FIRST_DAY, simulatedEvents } from "../support/data/event-file.js";
import { acceptedListed } from "../support/data/listed.js";
import { duration, type Measurement } from "../support/measurement.js";
import { metricOf, rolledUp } from "../support/metrics.js";
import { Process } from "../support/process.js";
import { countProgress } from "../support/progress.js";
import type { Row } from "../support/row.js";
import { PROJECT, REGISTERED_APP, startWaybill, type WaybillServer } from "../support/waybill-server.js";

const BATCH_BYTES = 16 * 1024 * 1024;
const IDLE_SECONDS = 5;
/** Duration of one latency measurement during the import, in seconds. */
const SLICE_SECONDS = 10;
const LATE_EVENTS = 1_000;
const LATE_LABEL = "late";

const MAX_SHARE = 0.15;
const MAX_RATIO = 6;
const MAX_P99_MS = 40;
const MAX_LISTED_MS = 2_000;

/**
 * A large day that is imported at full speed: the share of time spent in rollups, the latency of reads, and the time
 * until late events are listed.
 */
export const busyDayRow: Row = {
  name: "busy-day",
  measure: async ({ largeDayEvents: count }, directory) => {
    const server = await startWaybill(directory);
    const observer = new Process<LatencyQuestion, Latencies>("get-client");
    try {
      const urls = urlsOf(server);
      // Prepares the page that is read during the import.
      await importEvents(server, simulatedEvents(10_000, 1));
      await rolledUp(server);
      const observe = (url: string, seconds: number): Promise<Latencies> =>
        observer.ask({ url, token: server.token, seconds });
      const idle: Latencies[] = [];
      for (const { url } of urls) {
        await observe(url, 1);
        idle.push(await observe(url, IDLE_SECONDS));
      }
      const busy = urls.map((): Latencies[] => []);
      const before = await secondsInRollups(server);
      const start = performance.now();
      let isOver = false;
      const importing = importEvents(server, simulatedEvents(count, 1), count).finally(() => {
        isOver = true;
      });
      for (let turn = 0; !isOver; turn++) {
        const index = turn % urls.length;
        busy[index]?.push(await observe(urls[index]?.url ?? "", SLICE_SECONDS));
      }
      await importing;
      await rolledUp(server);
      const wall = (performance.now() - start) / 1000;
      const share = ((await secondsInRollups(server)) - before) / wall;
      const listed = await timeUntilLateEventsAreListed(server);
      return [
        {
          what: `import of a day of ${count.toLocaleString("en-US")} events: share of rollups`,
          waybill: `${(share * wall).toFixed(1)} s`,
          reference: `${wall.toFixed(1)} s`,
          ratio: share.toFixed(2),
          reach: `≤ ${MAX_SHARE.toFixed(2)}`,
          reached: share <= MAX_SHARE,
        },
        ...urls.map(({ what }, index) => latencyLine(what, idle[index], busy[index] ?? [])),
        {
          what: `${LATE_EVENTS.toLocaleString("en-US")} late events of that day, until listed`,
          waybill: duration(listed),
          reference: "-",
          ratio: "-",
          reach: `≤ ${duration(MAX_LISTED_MS)}`,
          reached: listed <= MAX_LISTED_MS,
        },
      ];
    } finally {
      await server.stop();
      await observer.stop();
    }
  },
};

function urlsOf({ integrityUrl, messagingDataUrl }: WaybillServer): { what: string; url: string }[] {
  const [app] = appIds(1);
  return [
    {
      what: "get during that import",
      url: `${integrityUrl}/v1/projects/${PROJECT}/apps/${REGISTERED_APP}/appAttestConfig`,
    },
    {
      what: "list, 100 entries, during that import",
      url: `${messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/${app}/deliveryData?pageSize=100`,
    },
  ];
}

async function importEvents(server: WaybillServer, events: Iterable<Buffer>, count?: number): Promise<void> {
  const report = count === undefined ? undefined : countProgress(`importing ${count} events`, count);
  await new WaybillClient(server).importEvents({
    project: PROJECT,
    events,
    batchBytes: BATCH_BYTES,
    onProgress: ({ importedCount }) => report?.(importedCount),
  });
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
  await importEvents(server, [Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""))]);
  const start = performance.now();
  await acceptedListed(server, (listed) => listed === LATE_EVENTS, LATE_LABEL);
  return performance.now() - start;
}

const secondsInRollups = (server: WaybillServer): Promise<number> =>
  metricOf(server, "waybill_rollup_duration_seconds_sum");

/** Compares the worst measurement during the import with the idle one. */
function latencyLine(what: string, idle: Latencies | undefined, busy: readonly Latencies[]): Measurement {
  const p99 = Math.max(...busy.map((latencies) => latencies.p99));
  const ratio = p99 / (idle?.p99 ?? Number.NaN);
  return {
    what,
    waybill: `p99 ${duration(p99)}`,
    reference: `p99 ${duration(idle?.p99 ?? Number.NaN)}`,
    ratio: ratio.toFixed(1),
    reach: `≤ ${MAX_RATIO}, ≤ ${MAX_P99_MS} ms`,
    reached: ratio <= MAX_RATIO && p99 <= MAX_P99_MS,
  };
}
