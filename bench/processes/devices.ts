import { writeFileSync } from "node:fs";
import { Devices, type ExchangeRequest } from "../../test/support/data/devices.js";
import { CONCURRENT_EXCHANGES, DEVICES_APP } from "../support/attest/devices.js";
import { respondToQuestions } from "../support/process.js";

/** Requests that devices send. Unless the time is limited, they are prepared before the measurement. */
export type DevicesQuestion =
  | { readonly work: "trust"; readonly rootFile: string }
  | { readonly work: "attest" | "assert"; readonly integrityUrl: string; readonly count: number }
  | { readonly work: "refresh"; readonly integrityUrl: string; readonly seconds: number };

const devices = await Devices.create(DEVICES_APP);

/** Returns exchanges per second; 0 after writing the root certificate. */
respondToQuestions(async (question: DevicesQuestion): Promise<number> => {
  if (question.work === "trust") {
    writeFileSync(question.rootFile, devices.root);
    return 0;
  }
  const { integrityUrl: url } = question;
  if (question.work === "refresh") return refresh(url, question.seconds);
  const prepare = question.work === "attest" ? attestations : assertions;
  const requests = await inParallel(() => prepare(url, Math.ceil(question.count / CONCURRENT_EXCHANGES)));
  const start = performance.now();
  await Promise.all(
    requests.map(async (ofWorker) => {
      for (const request of ofWorker) await devices.call(url, request);
    }),
  );
  return (1_000 * requests.flat().length) / (performance.now() - start);
});

/** Prepares attestations of new devices. */
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
async function refresh(url: string, seconds: number): Promise<number> {
  const attested = await inParallel(() => devices.attest(url));
  const start = performance.now();
  const end = start + 1_000 * seconds;
  let count = 0;
  await Promise.all(
    attested.map(async (device) => {
      for (; performance.now() < end; count++) await devices.call(url, await devices.assertion(url, device));
    }),
  );
  return (1_000 * count) / (performance.now() - start);
}

const inParallel = <Result>(work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: CONCURRENT_EXCHANGES }, work));
