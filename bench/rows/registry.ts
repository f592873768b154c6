import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { appIdOf, EVERYWHERE, fillRegistry, OF_TEN, projectNumber } from "../support/data/registry.js";
import {
  compare,
  duration,
  figureLine,
  type Measurement,
  throughputLine,
  timeLine,
} from "../support/measurement.js";
import { fetchBytes } from "../support/reads/fetch-bytes.js";
import { requestsPerSecond } from "../support/reads/load.js";
import { residentOf } from "../support/resident-memory.js";
import type { Row, Scale } from "../support/row.js";
import { startLine, startTime } from "../support/start-time.js";
import { dataDirectory, startWaybill, type WaybillServer } from "../support/waybill-server.js";

const FEW_PROJECTS = 10;
const MAX_START_MS = 3_000;
const MAX_MIB = 150;
const MAX_VISIBLE_MS = 1_000;
/** Pause between two checks for a change, in milliseconds. */
const LOOK_MS = 5;
/** Number of changes in each run. */
const CHANGES = 40;

/** A server with many registered projects, compared with one that has ten. */
export const registryRow: Row = {
  name: "registry",
  measure: async (scale, directory) => {
    const [many, few] = [join(directory, "many"), join(directory, "few")];
    await fillRegistry(dataDirectory(many), scale.projects);
    await fillRegistry(dataDirectory(few), FEW_PROJECTS);
    const lines = await compareServers(scale, many, few);
    return [...lines, await visibility(scale, many)];
  },
};

const projectsText = (count: number): string => `${count.toLocaleString("en-US")} projects`;

async function compareServers(scale: Scale, many: string, few: string): Promise<Measurement[]> {
  const what = projectsText(scale.projects);
  const starts = await compare(
    scale.runs,
    () => startTime(many),
    () => startTime(few),
  );
  const [large, small] = [await startWaybill(many), await startWaybill(few)];
  try {
    const get = await compareReads(scale, large, small, EVERYWHERE, EVERYWHERE, getUrl);
    const list = await compareReads(scale, large, large, EVERYWHERE, OF_TEN, listUrl);
    const [most, least] = [residentOf(large.pid), residentOf(small.pid)];
    return [
      startLine(what, starts, MAX_START_MS),
      throughputLine(`get with ${what}`, get, 0.95),
      {
        what: `memory with ${what}`,
        waybill: `${Math.round(most)} MiB`,
        reference: `${Math.round(least)} MiB`,
        ratio: `+${Math.round(most - least)} MiB`,
        target: `≤ +${MAX_MIB} MiB`,
        isMet: most - least <= MAX_MIB,
      },
      timeLine(
        `first page of ten, for a principal with ${what}`,
        { waybill: 1_000 / list.waybill, reference: 1_000 / list.reference, ratio: 1 / list.ratio },
        3,
      ),
    ];
  } finally {
    await large.stop();
    await small.stop();
  }
}

const getUrl = ({ integrityUrl }: WaybillServer): string => {
  const project = projectNumber(FEW_PROJECTS - 1);
  return `${integrityUrl}/v1/projects/${project}/apps/${appIdOf(project, 0)}/appAttestConfig`;
};

/** Returns a list's URL. For both principals, the page has ten projects. */
const listUrl = ({ registryUrl }: WaybillServer): string =>
  `${registryUrl}/v1beta1/projects?pageSize=${FEW_PROJECTS}`;

/** Compares the read rates of two servers. */
async function compareReads(
  { runs, seconds }: Scale,
  large: WaybillServer,
  small: WaybillServer,
  principal: string,
  other: string,
  urlOf: (server: WaybillServer) => string,
) {
  const [token, otherToken] = [await large.tokenOf(principal), await small.tokenOf(other)];
  await requestsPerSecond(urlOf(large), token, 1);
  await requestsPerSecond(urlOf(small), otherToken, 1);
  return compare(
    runs,
    () => requestsPerSecond(urlOf(large), token, seconds),
    () => requestsPerSecond(urlOf(small), otherToken, seconds),
  );
}

/** Measures the time until another process sees a change. */
async function visibility({ runs }: Scale, directory: string): Promise<Measurement> {
  const only = { only: "registry" };
  const one = await startWaybill(directory, undefined, only);
  const other = await startWaybill(directory, join(directory, "other.log"), only);
  try {
    const token = await one.tokenOf(EVERYWHERE);
    const times: number[] = [];
    for (let change = 0; change < runs * CHANGES; change++) {
      const displayName = `Changed ${change}`;
      const target = `v1beta1/projects/${projectNumber(change % FEW_PROJECTS)}`;
      await rename(`${one.registryUrl}/${target}?updateMask=displayName`, token, displayName);
      const start = performance.now();
      while (
        !String((await fetchBytes(`${other.registryUrl}/${target}`, token)).body).includes(`"${displayName}"`)
      )
        await sleep(LOOK_MS);
      times.push(performance.now() - start);
    }
    const sorted = times.sort((a, b) => a - b);
    const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN;
    return figureLine(
      "until a change is visible in another process",
      `p99 ${duration(p99)}`,
      `≤ ${duration(MAX_VISIBLE_MS)}`,
      p99 <= MAX_VISIBLE_MS,
    );
  } finally {
    await one.stop();
    await other.stop();
  }
}

async function rename(url: string, token: string, displayName: string): Promise<void> {
  const response = await fetch(url, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ displayName }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
