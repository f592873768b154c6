import { setTimeout as sleep } from "node:timers/promises";
import { WaybillClient } from "@waybill/client";
import { appIds } from "#dist/simulator/simulate-traffic.js";
import { ADMIN, type Cluster, MESSAGING_DATA, tokenOf } from "../../support/cluster.js";
import { FIRST_DAY } from "../../support/data/event-file.js";
import { acceptedListed } from "../../support/data/listed.js";
import { duration, figureLine, type Measurement } from "../../support/measurement.js";
import { metricOf, rolledUp } from "../../support/metrics.js";
import { progress } from "../../support/progress.js";
import type { Scale } from "../../support/row.js";
import { PROJECT } from "../../support/waybill-server.js";

const LATE_EVENTS = 1_000;
const EVENTS_A_REQUEST = 10;
/** Pause between two requests, in milliseconds. */
const PAUSE_MS = 200;
const LATE_LABEL = "late";
const MAX_SHARE = 0.25;
const MAX_LISTED_MS = 60_000;

/**
 * A listed day with late events, ten at a time: the share of time spent in rollups, and the time until the last late
 * event is listed.
 */
export async function measureLateEvents(
  { clusterEvents: count }: Scale,
  cluster: Cluster,
): Promise<Measurement[]> {
  const token = await tokenOf(cluster);
  const clients = MESSAGING_DATA.map((messagingDataUrl) => new WaybillClient({ messagingDataUrl, token }));
  progress("  importing the day");
  await Promise.all(
    clients.map((client, process) =>
      client.importEvents({ project: PROJECT, events: messagesOf(process, count / clients.length) }),
    ),
  );
  const [messagingDataUrl = ""] = MESSAGING_DATA;
  await acceptedListed({ messagingDataUrl, token }, (listed) => listed === count);
  await Promise.all(ADMIN.map((adminUrl) => rolledUp({ adminUrl })));
  progress("  importing late events");
  const [start, before] = [performance.now(), await secondsInRollups()];
  for (let event = 0; event < LATE_EVENTS; event += EVENTS_A_REQUEST) {
    const ids = Array.from({ length: EVENTS_A_REQUEST }, (_, i) => event + i);
    const client = clients[(event / EVENTS_A_REQUEST) % clients.length];
    await client?.importEvents({
      project: PROJECT,
      events: ids.map((id) => lineOf(`late-${id}`, LATE_LABEL)),
    });
    await sleep(PAUSE_MS);
  }
  const imported = performance.now();
  await acceptedListed({ messagingDataUrl, token }, (listed) => listed === LATE_EVENTS, LATE_LABEL);
  const end = performance.now();
  const seconds = (end - start) / 1000;
  const inRollups = (await secondsInRollups()) - before;
  const share = inRollups / seconds;
  const of = `${LATE_EVENTS.toLocaleString("en-US")} late events of a day of ${count.toLocaleString("en-US")} messages`;
  return [
    {
      what: `${of}, ten at a time: share of rollups`,
      ...{
        waybill: `${inRollups.toFixed(1)} s`,
        reference: `${seconds.toFixed(1)} s`,
        ratio: share.toFixed(2),
      },
      target: `≤ ${MAX_SHARE.toFixed(2)}`,
      isMet: share <= MAX_SHARE,
    },
    figureLine(
      "the last of them, until listed",
      duration(end - imported),
      `≤ ${duration(MAX_LISTED_MS)}`,
      end - imported <= MAX_LISTED_MS,
    ),
  ];
}

/** The accepted messages that are imported through a process, in chunks. */
function* messagesOf(process: number, count: number): Generator<Buffer> {
  for (let message = 0; message < count; message += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, count - message) }, (_, i) => message + i);
    yield Buffer.concat(
      ids.map((id) => lineOf(`${process}-${id}`, `label-${id % LABELS}`, APPS[id % APPS.length])),
    );
  }
}

const CHUNK = 10_000;
const LABELS = 100;
const APPS = appIds(20);

/** An accepted message, as a line. */
function lineOf(messageId: string, analyticsLabel: string, appId = APPS[0]): Buffer {
  const event = { appId, messageId, eventTime: `${FIRST_DAY}T20:00:00Z`, eventType: "ACCEPTED" };
  return Buffer.from(`${JSON.stringify({ ...event, analyticsLabel, usageReportingOptIn: true })}\n`);
}

/** The time that both processes have spent in rollups so far. */
async function secondsInRollups(): Promise<number> {
  const sums = ADMIN.map((adminUrl) => metricOf({ adminUrl }, "waybill_rollup_duration_seconds_sum"));
  return (await Promise.all(sums)).reduce((total, sum) => total + sum, 0);
}
