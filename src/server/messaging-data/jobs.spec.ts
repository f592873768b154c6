import { afterEach, beforeEach, expect, it } from "vitest";
import { ProcessLeases } from "../../control/embedded/process-leases.js";
import type { ProjectJob } from "../../jobs/project-job.js";
import { AdjustableClock, systemClock } from "../../model/clock.js";
import { type Day, dayOf } from "../../model/day.js";
import type { RetentionStore } from "../../store/retention-store.js";
import { FailureLog } from "../operators/failure-log.js";
import { Metrics } from "../operators/metrics.js";
import { silentLogger } from "../operators/testing/silent-logger.js";
import { retentionJob, retentionTime } from "./jobs.js";

const NOON = Date.UTC(2026, 10, 24, 20);
const TODAY = dayOf(NOON);
const DAYS = 86_400_000;
const MINUTE = 60_000;
const YEARS = 5 * 365 * DAYS;

let passed: number;
/** Deviation of the machine's clock, and of the control data's clock. */
let machineAhead: number;
let controlAhead: number;
let sealed: Day | undefined;
let dayClock: AdjustableClock;
let job: ProjectJob | undefined;

beforeEach(() => {
  passed = 0;
  machineAhead = 0;
  controlAhead = 0;
  sealed = undefined;
  const machine = { wall: () => NOON + passed + machineAhead, monotonic: () => passed };
  dayClock = new AdjustableClock(machine);
  const store: RetentionStore = {
    seal: async (until) => {
      sealed = until;
    },
    expiredProjects: async () => [],
    expiredDays: async () => [],
    removeExpired: async () => 0,
  };
  const control = { leases: new ProcessLeases(systemClock), now: async () => NOON + passed + controlAhead };
  job = retentionJob(store, { messages: 2 * DAYS }, retentionTime({ control, dayClock }), {
    control,
    dayClock,
    metrics: new Metrics(),
    logger: silentLogger,
    failures: new FailureLog(silentLogger),
  });
  job?.runner.start();
});
afterEach(() => job?.runner.stop());

/** Checks for work every minute. @returns the last sealed day. */
async function sealedAfter(milliseconds: number): Promise<Day | undefined> {
  for (const end = passed + milliseconds; passed < end; ) {
    passed += MINUTE;
    await job?.runner.settled(0);
  }
  return sealed;
}

it("the retention job seals days when two checks some minutes apart agree", async () => {
  expect(await sealedAfter(4 * MINUTE)).toBeUndefined();
  expect(await sealedAfter(MINUTE)).toBe(TODAY - 3);
  expect(await sealedAfter(DAYS / 2)).toBe(TODAY - 2);
});

it("the retention job seals no days if a clock is years ahead for a moment", async () => {
  await sealedAfter(20 * MINUTE);
  machineAhead = YEARS;
  await sealedAfter(MINUTE);
  machineAhead = 0;
  expect(await sealedAfter(20 * MINUTE)).toBe(TODAY - 3);
});

it("the retention job seals no days if the control data's clock disagrees", async () => {
  machineAhead = YEARS;
  expect(await sealedAfter(60 * MINUTE)).toBe(TODAY - 3);
  machineAhead = 0;
  controlAhead = YEARS;
  expect(await sealedAfter(60 * MINUTE)).toBe(TODAY - 3);
});

it("the retention job seals days immediately by a clock that operators have set", async () => {
  dayClock.set({ time: NOON + 10 * DAYS });
  await job?.runner.settled(0);
  expect(sealed).toBe(TODAY + 7);
});
