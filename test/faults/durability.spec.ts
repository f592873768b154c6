import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFailed } from "vitest";
import { Random } from "../../src/simulator/random.js";
import { countsByLabel, entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { poll } from "../support/poll.js";
import type { ServerStarter } from "../support/servers/fixtures.js";
import { it } from "../support/servers/process-fixtures.js";
import { EDITOR } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";

const APP = "durable";
const NOON = "2025-06-02T12:00:00-07:00";
const KILLS = 10;
const IMPORTERS = 3;
/** Maximum number of acknowledgements to wait for before a kill. */
const MAX_ACKNOWLEDGED = 4;
/** Maximum random delay of a kill in milliseconds, so that kills hit every stage of an import. */
const MAX_DELAY_MS = 60;

let server: ServerProcess;
let token: string;
let start: ServerStarter<ServerProcess>;
it.beforeEach(async ({ startServer }) => {
  start = startServer;
  server = await start();
  token = await server.token(EDITOR);
});

const restart = async (): Promise<void> => {
  server = await start();
};

/** Random numbers with a seed that is printed if the test fails. */
function randomOfTest(): Random {
  const seed = randomInt(2 ** 32);
  onTestFailed(() => console.log(`the seed of the random numbers is ${seed}`));
  return new Random(seed);
}

/** Import requests, each with a unique label. */
class Requests {
  /** Number of events by label. */
  readonly sent = new Map<string, number>();
  readonly acknowledged = new Set<string>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Sends requests one after the other until one is not acknowledged. */
  async sendUntilFailure(name: string): Promise<void> {
    for (let number = 0; ; number++) {
      const label = `${name}-${number}`;
      const size = 1 + this.#random.below(4_000);
      this.sent.set(label, size);
      const status = await importLabelled(label, size);
      if (status !== 200) return;
      this.acknowledged.add(label);
    }
  }

  /** Resolves after this many further acknowledgements. */
  async untilAcknowledged(more: number): Promise<void> {
    const wanted = this.acknowledged.size + more;
    await poll(() => this.acknowledged.size >= wanted);
  }

  /** Labels that are listed partially, and acknowledged ones that are not listed. */
  violations(listed: ReadonlyMap<string, number>): string[] {
    const wrong: string[] = [];
    for (const [label, size] of this.sent) {
      const count = listed.get(label) ?? 0;
      const allowed = this.acknowledged.has(label) ? [size] : [0, size];
      if (!allowed.includes(count)) wrong.push(`${label}: ${count} of ${size}`);
    }
    return wrong;
  }
}

/** The response status; undefined if the connection broke. */
async function importLabelled(analyticsLabel: string, size: number): Promise<number | undefined> {
  const events = Array.from({ length: size }, (_, index) => ({
    appId: APP,
    messageId: `${analyticsLabel}/${index}`,
    eventTime: NOON,
    eventType: "ACCEPTED",
    analyticsLabel,
    usageReportingOptIn: true,
  }));
  const response = await postEvents(server, token, ndjson(events)).catch(() => undefined);
  return response?.status;
}

/** The listed counts once the last event of the day is listed. All stored events are then listed too. */
async function listed(): Promise<ReadonlyMap<string, number>> {
  expect(await importLabelled("last", 1)).toBe(200);
  return countsByLabel(
    await entriesOnceThey(server, token, APP, (entries) => countsByLabel(entries).has("last")),
  );
}

it(`the server preserves every acknowledged import, and stores none partially, after ${KILLS} kills during imports`, async () => {
  const random = randomOfTest();
  const requests = new Requests(random);
  for (let kill = 0; kill < KILLS; kill++) {
    const importers = Array.from({ length: IMPORTERS }, (_, importer) =>
      requests.sendUntilFailure(`${kill}-${importer}`),
    );
    await requests.untilAcknowledged(kill % (MAX_ACKNOWLEDGED + 1));
    // The delay is random, so that kills hit every stage of an import.
    await sleep(random.below(MAX_DELAY_MS));
    await server.stop("SIGKILL");
    await Promise.all(importers);
    await restart();
  }
  expect(requests.violations(await listed())).toEqual([]);
  // Otherwise all kills were too early or too late.
  expect(requests.acknowledged.size).toBeGreaterThan(0);
  expect(requests.sent.size).toBeGreaterThan(requests.acknowledged.size);
});

it("the server completes imports in progress before it stops, and loses none", async () => {
  const requests = new Requests(randomOfTest());
  const importers = Array.from({ length: IMPORTERS }, (_, importer) =>
    requests.sendUntilFailure(`${importer}`),
  );
  await requests.untilAcknowledged(IMPORTERS);
  expect(await server.stop()).toBe(0);
  await Promise.all(importers);
  await restart();
  expect(requests.violations(await listed())).toEqual([]);
  expect(requests.acknowledged.size).toBeGreaterThan(0);
});

it("after a restart, the server rolls up the days that a kill has left stale", async () => {
  expect(await importLabelled("stale", 3)).toBe(200);
  await server.stop("SIGKILL");
  await restart();
  const entries = await entriesOnceThey(server, token, APP, ({ length }) => length > 0);
  expect(countsByLabel(entries)).toEqual(new Map([["stale", 3]]));
});
