import { writeFileSync } from "node:fs";
import { Devices, type ExchangeRequest } from "../../test/support/data/devices.js";
import { CONCURRENT_EXCHANGES, DEVICES_APP, type ExchangeSpeed } from "../support/attest/devices.js";
import { respondToQuestions } from "../support/process.js";
import { processorTimeOf } from "../support/processor-time.js";

export interface CalledServer {
  readonly integrityUrl: string;
  readonly pid: number;
}

/** Requests that devices send. Unless the time is limited, they are prepared before the measurement. */
export type DevicesQuestion =
  | { readonly work: "trust"; readonly rootFile: string }
  | { readonly work: "attest" | "assert"; readonly server: CalledServer; readonly count: number }
  | { readonly work: "refresh"; readonly server: CalledServer; readonly seconds: number };

const devices = await Devices.create(DEVICES_APP);

/** Returns the speed of exchanges; null for other work. */
respondToQuestions(async (question: DevicesQuestion): Promise<ExchangeSpeed | null> => {
  if (question.work === "trust") {
    writeFileSync(question.rootFile, devices.root);
    return null;
  }
  const { integrityUrl: url, pid } = question.server;
  if (question.work === "refresh") return refresh(url, question.seconds);
  const prepare = question.work === "attest" ? attestations : assertions;
  const requests = await inParallel(() => prepare(url, Math.ceil(question.count / CONCURRENT_EXCHANGES)));
  const count = requests.flat().length;
  const [start, processorStart] = [performance.now(), processorTimeOf(pid)];
  await Promise.all(
    requests.map(async (ofWorker) => {
      for (const request of ofWorker) await devices.call(url, request);
    }),
  );
  return {
    perSecond: (1_000 * count) / (performance.now() - start),
    processorMs: (processorTimeOf(pid) - processorStart) / count,
  };
});

async function attestations(url: string, count: number): Promise<ExchangeRequest[]> {
  const requests: ExchangeRequest[] = [];
  while (requests.length < count) requests.push((await devices.attestation(url)).request);
  return requests;
}

/** Attests a device, and prepares its assertions with rising counters. */
async function assertions(url: string, count: number): Promise<ExchangeRequest[]> {
  const attested = await devices.attest(url);
  const requests: ExchangeRequest[] = [];
  while (requests.length < count) requests.push(await devices.assertion(url, attested));
  return requests;
}

/** Exchanges assertions with new challenges until the time ends. */
async function refresh(url: string, seconds: number): Promise<null> {
  const attested = await inParallel(() => devices.attest(url));
  const end = performance.now() + 1_000 * seconds;
  await Promise.all(
    attested.map(async (device) => {
      while (performance.now() < end) await devices.call(url, await devices.assertion(url, device));
    }),
  );
  return null;
}

const inParallel = <Result>(work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: CONCURRENT_EXCHANGES }, work));
