import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { at } from "#dist/model/collections.js";
import { respondToQuestions } from "../support/process.js";
import { fetchBytes } from "../support/reads/fetch-bytes.js";

/** The URLs to request one after another, repeatedly, and for how long. */
export interface LatencyQuestion {
  readonly urls: readonly string[];
  readonly token: string;
  readonly seconds: number;
}

/** Time until each response was complete, in milliseconds. Infinite without a response. */
export interface Latencies {
  readonly p99: number;
  readonly max: number;
}

/**
 * Requests start on schedule, even if earlier ones are still waiting for their response. The wait counts as latency.
 */
const INTERVAL_MS = 10;
/** Requests without a response after this time count as lost. */
const PATIENCE_MS = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Number of requests since the process started. The URLs continue where the last measurement ended. */
let sent = 0;

respondToQuestions(async ({ urls, token, seconds }: LatencyQuestion): Promise<Latencies> => {
  const start = performance.now();
  const count = (1000 * seconds) / INTERVAL_MS;
  const asked: Promise<number>[] = [];
  while (asked.length < count) {
    const due = start + asked.length * INTERVAL_MS;
    await sleep(Math.max(0, due - performance.now()));
    asked.push(latencyOf(at(urls, sent++ % urls.length), token, due));
  }
  const sorted = (await Promise.all(asked)).sort((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p99: quantile(0.99), max: quantile(1) };
});

async function latencyOf(url: string, token: string, due: number): Promise<number> {
  const responded = fetchBytes(url, token, agent).then(
    () => performance.now() - due,
    () => Number.POSITIVE_INFINITY,
  );
  const gaveUp = sleep(PATIENCE_MS, Number.POSITIVE_INFINITY, { ref: false });
  return Promise.race([responded, gaveUp]);
}
