import { stat } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { RECORDS_FILE } from "#dist/control/embedded/records-file.js";
import { attestationConfig } from "../../test/support/data/devices.js";
import type { CryptographyQuestion } from "../processes/bare-cryptography.js";
import type { CalledServer, DevicesQuestion } from "../processes/devices.js";
import type { Latencies, LatencyQuestion } from "../processes/get-client.js";
import type { ExchangeSpeed } from "../support/attest/devices.js";
import { fillAttestedKeys, keyIdOf } from "../support/data/attested-keys.js";
import {
  compare,
  figureLine,
  type Measurement,
  medians,
  type Pair,
  throughputLine,
  timeLine,
} from "../support/measurement.js";
import { Process } from "../support/process.js";
import { fetchBytes } from "../support/reads/fetch-bytes.js";
import { meanTime } from "../support/reads/in-parallel.js";
import type { Row, Scale } from "../support/row.js";
import { startTime } from "../support/start-time.js";
import {
  dataDirectory,
  PROJECT,
  REGISTERED_APP,
  startWaybill,
  type WaybillServer,
} from "../support/waybill-server.js";

const APP = `projects/${PROJECT}/apps/${REGISTERED_APP}`;
const MIN_SHARE = 0.5;
/** Target for the ratio of processor time. */
const MAX_PROCESSOR_RATIO = 2;
const MAX_GET_RATIO = 4;
const FEW_KEYS = 1_000;
const MAX_BYTES = 300;
const MAX_START_RATIO = 1.2;
const MAX_LOOKUP_RATIO = 1.2;
/** Number of lookups in a run, and of concurrent ones. */
const LOOKUPS = 16_000;
const LOOKUPS_AT_ONCE = 4;
const WARM_UP_ROUNDS = 2;

/**
 * App Attest exchanges, compared with their cryptographic operations only; and a server with many attested keys,
 * compared with a server with few.
 */
export const attestationRow: Row = {
  name: "attestation",
  measure: async (scale, directory) => [
    ...(await exchanges(scale, join(directory, "exchanges"))),
    ...(await manyKeys(scale, directory)),
  ],
};

async function exchanges(scale: Scale, directory: string): Promise<Measurement[]> {
  const { runs, seconds, assertions, attestations } = scale;
  const devices = new Process<DevicesQuestion, ExchangeSpeed>("devices");
  const bare = new Process<CryptographyQuestion, number>("bare-cryptography");
  const bareServer = new Process<CryptographyQuestion, CalledServer>("bare-cryptography");
  const observer = new Process<LatencyQuestion, Latencies>("get-client");
  const rootFile = `${directory}-root.pem`;
  await devices.ask({ work: "trust", rootFile });
  const server = await startWaybill(directory, undefined, {
    integrity: { attestation: attestationConfig(rootFile) },
  });
  try {
    const { integrityUrl, pid, token } = server;
    const waybill: CalledServer = { integrityUrl, pid };
    const reference = await bareServer.ask({ work: "serve" });
    const compareWork = async (work: "assert" | "attest", count: number): Promise<Measurement[]> => {
      const exchange = work === "assert" ? "assertion" : "attestation";
      for (const called of [waybill, reference])
        await devices.ask({ work, server: called, count: count / 4 });
      const processorMs: Pair[] = [];
      let ofWaybill = 0;
      const rates = await compare(
        runs,
        async () => {
          const speed = await devices.ask({ work, server: waybill, count });
          ofWaybill = speed.processorMs;
          return speed.perSecond;
        },
        async () => {
          const ofBare = await bare.ask({ work: "calculate", exchange, count });
          processorMs.push({ waybill: ofWaybill, reference: ofBare });
          return (await devices.ask({ work, server: reference, count })).perSecond;
        },
      );
      return [
        throughputLine(`exchanges of ${exchange}s`, rates, MIN_SHARE, "/s"),
        timeLine(`processor time of an ${exchange}`, medians(processorMs), MAX_PROCESSOR_RATIO),
      ];
    };
    const lines = [
      ...(await compareWork("assert", assertions)),
      ...(await compareWork("attest", attestations)),
    ];
    const url = `${integrityUrl}/v1/${APP}/appAttestConfig`;
    const observe = async (): Promise<number> => (await observer.ask({ urls: [url], token, seconds })).p99;
    const get = await compare(
      runs,
      async () => {
        const refreshing = devices.ask({ work: "refresh", server: waybill, seconds });
        const p99 = await observe();
        await refreshing;
        return p99;
      },
      observe,
    );
    return [...lines, timeLine("p99 of get during exchanges with their challenges", get, MAX_GET_RATIO)];
  } finally {
    await server.stop();
    for (const process of [devices, bare, bareServer, observer]) await process.stop();
  }
}

async function manyKeys(scale: Scale, directory: string): Promise<Measurement[]> {
  const { runs, attestedKeys } = scale;
  const [many, few, none] = [join(directory, "many"), join(directory, "few"), join(directory, "none")];
  await fillAttestedKeys(dataDirectory(many), attestedKeys);
  await fillAttestedKeys(dataDirectory(few), FEW_KEYS);
  await fillAttestedKeys(dataDirectory(none), 0);
  const what = `${attestedKeys.toLocaleString("en-US")} attested keys`;
  const bytes = ((await sizeOf(many)) - (await sizeOf(none))) / attestedKeys;
  const starts = await compare(
    runs,
    () => startTime(many),
    () => startTime(few),
  );
  const [large, small] = [await startWaybill(many), await startWaybill(few)];
  try {
    // Both servers first compile their code.
    for (let round = 0; round < WARM_UP_ROUNDS; round++) {
      await lookupTime(large, attestedKeys);
      await lookupTime(small, FEW_KEYS);
    }
    const lookups = await compare(
      runs,
      () => lookupTime(large, attestedKeys),
      () => lookupTime(small, FEW_KEYS),
    );
    return [
      figureLine(`bytes on disk for each of ${what}`, bytes.toFixed(0), `≤ ${MAX_BYTES}`, bytes <= MAX_BYTES),
      timeLine(`start with ${what}`, starts, MAX_START_RATIO),
      timeLine(`lookup of one of ${what}`, lookups, MAX_LOOKUP_RATIO),
    ];
  } finally {
    await large.stop();
    await small.stop();
  }
}

const sizeOf = async (directory: string): Promise<number> =>
  (await stat(join(dataDirectory(directory), RECORDS_FILE))).size;

/**
 * Mean time of lookups of random keys, in milliseconds. All requests differ in a parameter without an effect. The server
 * would otherwise know the targets of few keys already, and the difference would be more than that of the lookups.
 */
async function lookupTime({ integrityUrl, token }: WaybillServer, keys: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const urls = Array.from({ length: LOOKUPS }, () => {
    const key = keyIdOf(Math.floor(Math.random() * keys));
    return `${integrityUrl}/v1/${APP}/attestedKeys/${key}?quotaUser=${Math.random()}`;
  });
  try {
    return await meanTime(urls, LOOKUPS_AT_ONCE, async (url) => {
      await fetchBytes(url, token, agent);
    });
  } finally {
    agent.destroy();
  }
}
