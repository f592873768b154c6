import type { Random } from "../../src/simulator/random.js";
import type { SimulationOptions } from "../../src/simulator/simulate-traffic.js";
import { Calls } from "../callers/calls.js";
import { openCallers } from "../callers/open-callers.js";
import { ChangeLedger } from "../expected/change-ledger.js";
import { makeTraffic } from "../expected/traffic.js";
import { Twins } from "../expected/twins.js";
import type { Disturbance } from "../faults/disturbance.js";
import type { Tally } from "../report/tally.js";
import type { Violations } from "../report/violations.js";
import { PROJECTS } from "../server/config.js";
import type { SoakedServer } from "../server/soaked-server.js";
import { ImportQueue } from "./import-queue.js";
import type { World } from "./world.js";

export interface WorldParts {
  readonly server: SoakedServer;
  readonly random: Random;
  readonly tally: Tally;
  readonly disturbance: Disturbance;
  readonly violations: Violations;
}

/** Clients of a server with a new data directory, before any action. */
export function newWorld({ server, random, ...shared }: WorldParts): World {
  const { tally, disturbance, violations } = shared;
  return {
    ...shared,
    target: server.target,
    callers: openCallers(server.target, random),
    calls: new Calls(tally, disturbance, violations),
    queue: new ImportQueue(),
    ledger: new ChangeLedger(),
    twins: PROJECTS.map(({ id }) => new Twins(id, "twins")),
    growing: [],
    settled: [],
  };
}

/** Number of days of traffic in the first round. Low, so that later rounds send late events for the same days. */
const START_DAYS = ["2025-03-06", "2025-03-08", "2025-06-01", "2025-10-31", "2025-12-30"];
const DAYS = 5;
const LABELS = 8;
const APPS = 2;

/** Adds traffic of new apps to each project's imports. */
export function addTraffic(world: World, name: string, messages: number, random: Random): void {
  world.growing = PROJECTS.map(({ id }) => {
    const apps = Array.from({ length: APPS }, (_, index) => `${name}-app-${index}`);
    const startDay = START_DAYS[random.below(START_DAYS.length)] ?? "";
    const seed = random.below(2 ** 31);
    const options: SimulationOptions = { apps, startDay, days: DAYS, messages, labels: LABELS, seed };
    return makeTraffic(id, options, random);
  });
  for (const traffic of world.growing) world.queue.add(traffic);
}
