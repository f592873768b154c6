import { setTimeout as sleep } from "node:timers/promises";
import { duration } from "../../support/measurement.js";
import { validToken } from "../../support/opaque-tokens.js";
import type { Check } from "../../support/reads/attack.js";

/** A principal that uses the server in another project during an attack. */
export interface Bystander {
  readonly integrityUrl: string;
  readonly messagingDataUrl: string;
  readonly project: string;
  readonly token: string;
}

const APP = "1:210987654321:android:0a1b2c3d4e5f";
const DAY_MS = 86_400_000;
/** Maximum time until an imported event is listed. */
const MAX_LISTED_MS = 5_000;
const MAX_LISTED_SOON_MS = 2_000;
const MAX_IMPORT_MS = 2_000;
const PATIENCE_MS = 60_000;
const LISTS = 50;
const MAX_LIST_MS = 250;
const TOKENS = 5;

/** Imports an event, and measures the time until it is listed. */
export const listsItsEvent = (bystander: Bystander): Promise<Check> =>
  listsItsEventWithin(bystander, MAX_LISTED_MS);

/** Like {@link listsItsEvent}, for attacks within a project's limits, which must delay others less. */
export const listsItsEventSoon = (bystander: Bystander): Promise<Check> =>
  listsItsEventWithin(bystander, MAX_LISTED_SOON_MS);

async function listsItsEventWithin(bystander: Bystander, limit: number): Promise<Check> {
  const took = await timeUntil(async () => (await importEvent(bystander)) && waitForEntry(bystander));
  return {
    what: "until another project's event is listed",
    figure: duration(took),
    target: `≤ ${duration(limit)}`,
    isMet: took <= limit,
  };
}

export async function importsItsEvent(bystander: Bystander): Promise<Check> {
  const took = await timeUntil(() => importEvent(bystander));
  return {
    what: "an import of another project",
    figure: duration(took),
    target: `≤ ${duration(MAX_IMPORT_MS)}`,
    isMet: took <= MAX_IMPORT_MS,
  };
}

/** Measures the slowest of several lists in sequence. */
export async function lists(bystander: Bystander): Promise<Check> {
  let slowest = 0;
  for (let round = 0; round < LISTS; round++) {
    const took = await timeUntil(async () => (await list(bystander)).ok);
    slowest = Math.max(slowest, took);
  }
  return {
    what: `slowest of ${LISTS} lists of another principal`,
    figure: duration(slowest),
    target: `≤ ${duration(MAX_LIST_MS)}`,
    isMet: slowest <= MAX_LIST_MS,
  };
}

/** Lists with the bystander's opaque tokens. Each token is introspected several times. */
export async function listsWithOpaqueTokens(bystander: Bystander): Promise<Check> {
  let served = 0;
  const tokens = Array.from({ length: TOKENS }, (_, n) => validToken(String(n)));
  for (let round = 0; round < LISTS; round++) {
    const calls = tokens.map((token) => list({ ...bystander, token }));
    for (const { ok } of await Promise.all(calls)) served += Number(ok);
    await sleep(100);
  }
  return {
    what: "lists with valid tokens of the same address that are served",
    figure: `${served} of ${LISTS * TOKENS}`,
    target: "all",
    isMet: served === LISTS * TOKENS,
  };
}

/** Returns the milliseconds until the work succeeds. Infinite if it fails or exceeds the time limit. */
async function timeUntil(work: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  const gaveUp = sleep(PATIENCE_MS, false, { ref: false });
  const succeeded = await Promise.race([work().catch(() => false), gaveUp]);
  return succeeded ? performance.now() - start : Number.POSITIVE_INFINITY;
}

async function importEvent({ messagingDataUrl, project, token }: Bystander): Promise<boolean> {
  const event = {
    appId: APP,
    messageId: "m",
    // A day that has ended in every time zone.
    eventTime: new Date(Date.now() - 2 * DAY_MS).toISOString(),
    eventType: "ACCEPTED",
    usageReportingOptIn: true,
  };
  const response = await fetch(`${messagingDataUrl}/v1beta1/projects/${project}/messageEvents:import`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: JSON.stringify(event),
  });
  await response.arrayBuffer();
  return response.ok;
}

function list({ messagingDataUrl, project, token }: Bystander): Promise<Response> {
  const url = `${messagingDataUrl}/v1beta1/projects/${project}/androidApps/${APP}/deliveryData`;
  return fetch(url, { headers: { authorization: `Bearer ${token}` } });
}

async function waitForEntry(bystander: Bystander): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const response = await list(bystander);
    if ((await response.text()).includes(APP)) return true;
    await sleep(100);
  }
  return false;
}
