import { mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedRecords } from "#dist/control/embedded/embedded-records.js";
import { ProcessLeases } from "#dist/control/embedded/process-leases.js";
import { MirrorJob } from "#dist/mirror/mirror-job.js";
import type { RoundSummary } from "#dist/mirror/round/walk-app.js";
import { HttpUpstream } from "#dist/mirror/upstream/http-upstream.js";
import { AdjustableClock, systemClock } from "#dist/model/clock.js";
import { dayOf } from "#dist/model/day.js";
import { openStore } from "../support/data/day-store.js";
import { DATABASE, makeEntries } from "../support/data/delivery-data.js";
import { compare, figureLine, type Measurement, timeLine } from "../support/measurement.js";
import { untilIdle } from "../support/processor-time.js";
import { progress } from "../support/progress.js";
import { meanTime } from "../support/reads/in-parallel.js";
import type { Row } from "../support/row.js";
import { PROJECT, startWaybill, type WaybillServer } from "../support/waybill-server.js";

const LABELS = 100;
const DAYS = 7;
/** Number of apps to read pages of at a time, also for the mirror. */
const AT_A_TIME = 4;
const MOST = 1.5;
/** The same for the first round, which stores everything, from a server on the same machine. */
const MOST_OF_FIRST = 2.5;
/** Maximum growth of the database per app in a round without changes, in bytes. */
const MOST_BYTES_AN_APP = 1024;

/** Delays before upstream begins its response, in milliseconds: on the same machine, and far away. */
const DISTANCES = [0, 300];

/** Mirroring all apps of another server, compared with only fetching the same pages. */
export const mirrorRow: Row = {
  name: "mirror",
  measure: async ({ runs, mirroredApps }, directory) => {
    const apps = Array.from({ length: mirroredApps }, (_, index) => `1:1:android:${index}`);
    await makeEntries(directory, apps, LABELS * DAYS, { days: DAYS });
    const server = await startWaybill(directory);
    await untilIdle(server.pid);
    try {
      const lines: Measurement[] = [];
      for (const distance of DISTANCES) {
        lines.push(...(await measureAt({ server, distance }, apps, runs, directory)));
      }
      return lines;
    } finally {
      await server.stop();
    }
  },
};

/** A mirrored server, and its response delay. */
interface FarServer {
  readonly server: WaybillServer;
  readonly distance: number;
}

async function measureAt(
  upstream: FarServer,
  apps: readonly string[],
  runs: number,
  directory: string,
): Promise<Measurement[]> {
  // The first fetch of a page computes it.
  await fetchAll({ ...upstream, distance: 0 }, apps);
  const unchanged: number[] = [];
  let bytes = 0;
  const first = await compare(
    runs,
    async () => {
      const mirror = await openMirror(upstream, apps, directory);
      const milliseconds = await timeOf(mirror.round, { added: apps.length * LABELS * DAYS });
      const before = await mirror.bytes();
      unchanged.push(await mirror.scheduledRound());
      bytes = Math.max(bytes, (await mirror.bytes()) - before);
      await mirror.close();
      return milliseconds;
    },
    () => fetchAll(upstream, apps),
  );
  const again = await compare(
    runs,
    async (run) => unchanged[run] ?? Number.NaN,
    () => fetchAll(upstream, apps),
  );
  const what = `${apps.length} apps × ${LABELS} labels × ${DAYS} days, ${upstream.distance} ms away`;
  return [
    timeLine(`mirroring ${what}, for the first time`, first, upstream.distance === 0 ? MOST_OF_FIRST : MOST),
    timeLine("mirroring them again, unchanged", again, MOST),
    figureLine(
      "growth of the database by that",
      `${Math.round(bytes / 1000)} kB`,
      `≤ ${(apps.length * MOST_BYTES_AN_APP) / 1000} kB`,
      bytes <= apps.length * MOST_BYTES_AN_APP,
    ),
  ];
}

const pageOf = ({ messagingDataUrl }: WaybillServer, app: string): string =>
  `${messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/${app}/deliveryData?pageSize=10000`;

/** Fetches all apps' pages, and parses them. @returns the duration in milliseconds. */
async function fetchAll({ server, distance }: FarServer, apps: readonly string[]): Promise<number> {
  const start = performance.now();
  const headers = { authorization: `Bearer ${server.token}` };
  await meanTime(apps, AT_A_TIME, async (app) => {
    await sleep(distance);
    const response = await fetch(pageOf(server, app), { headers });
    const { androidDeliveryData } = (await response.json()) as { androidDeliveryData: unknown[] };
    if (androidDeliveryData.length !== LABELS * DAYS) throw new Error(`${app} has a page of another length`);
  });
  return performance.now() - start;
}

/** Opens an upstream's mirror with an empty store. */
async function openMirror({ server, distance }: FarServer, apps: readonly string[], directory: string) {
  const own = await mkdtemp(join(directory, "mirror-"));
  const store = await openStore(own);
  const headers = async () => {
    await sleep(distance);
    return new Headers({ authorization: `Bearer ${server.token}` });
  };
  const dayClock = new AdjustableClock(systemClock);
  let onRound = (_milliseconds: number): void => {};
  const job = new MirrorJob({
    project: PROJECT,
    upstream: new HttpUpstream({
      url: server.messagingDataUrl,
      project: PROJECT,
      credentials: { headers, dropToken: () => {} },
      clock: systemClock,
      today: () => dayOf(Date.now()),
    }),
    apps,
    schedule: { every: 86_400_000, jitter: 0 },
    retention: {},
    retentionTime: async () => undefined,
    store,
    records: await EmbeddedRecords.open(own, systemClock),
    leases: new ProcessLeases(systemClock),
    clock: systemClock,
    dayClock,
    observer: {
      walked: () => {},
      unlisted: () => {},
      ended: (summary, milliseconds) => {
        progress(`  ${JSON.stringify(summary)}`);
        onRound(milliseconds);
      },
      failed: (error) => {
        throw error;
      },
    },
  });
  return {
    round: async (): Promise<RoundSummary | undefined> => {
      let summary: RoundSummary | undefined;
      const onEnd = (ended: RoundSummary): void => {
        summary = ended;
      };
      await job.runNow({ onBegin: () => {}, onWalked: () => {}, onEnd }, new AbortController().signal);
      return summary;
    },
    /** Runs the next scheduled round. @returns the duration in milliseconds. */
    scheduledRound: async (): Promise<number> => {
      const round = new Promise<number>((resolve) => {
        onRound = resolve;
      });
      dayClock.set({ time: dayClock.wall() + 2 * 86_400_000 });
      job.runner.start();
      const milliseconds = await round;
      await job.runner.stop(0);
      return milliseconds;
    },
    /** Size of the database and its log. */
    bytes: async (): Promise<number> => {
      const sizes = [DATABASE, `${DATABASE}.wal`].map((file) =>
        stat(join(own, file)).then(
          ({ size }) => size,
          () => 0,
        ),
      );
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    close: async (): Promise<void> => {
      await store.close();
      await rm(own, { recursive: true });
    },
  };
}

/** Measures a round. @throws Error if its counts are not as expected. */
async function timeOf(
  round: () => Promise<RoundSummary | undefined>,
  expected: Partial<RoundSummary>,
): Promise<number> {
  const start = performance.now();
  const summary = await round();
  const milliseconds = performance.now() - start;
  for (const [name, count] of Object.entries(expected)) {
    if (summary?.[name as keyof RoundSummary] !== count)
      throw new Error(`a round has other ${name} than ${count}`);
  }
  return milliseconds;
}
