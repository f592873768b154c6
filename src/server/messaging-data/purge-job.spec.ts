import { expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { FILES_ENGINE } from "../../control/embedded/files-engine.js";
import { RECORD_KINDS } from "../../control/records.js";
import { AdjustableClock, systemClock } from "../../model/clock.js";
import { FailureLog } from "../operators/failure-log.js";
import { Metrics } from "../operators/metrics.js";
import { silentLogger } from "../operators/testing/silent-logger.js";
import { purgeJob } from "./purge-job.js";

it("the purge job erases a deleted project in the store, and then its records, even after failures", async () => {
  const directory = await testDirectory();
  const control = await FILES_ENGINE.open({ engine: "files" }, { directory, clock: systemClock });
  const { incidents, debugTokens } = RECORD_KINDS;
  await control.records.change([
    { kind: incidents, key: "7", value: 1 },
    { kind: debugTokens, key: "7/app", value: { secret: "digest" } },
    { kind: debugTokens, key: "77/app", value: {} },
  ]);
  const outcomes = [false, new Error("unavailable"), false];
  const erased: string[] = [];
  const erase = async (project: string): Promise<boolean> => {
    erased.push(project);
    const outcome = outcomes.shift() ?? true;
    if (typeof outcome === "boolean") return outcome;
    throw outcome;
  };
  const metrics = new Metrics();
  const source = { dueForPurge: async () => ["7"], purged: async () => {} };
  const parts = {
    control,
    metrics,
    logger: silentLogger,
    failures: new FailureLog(silentLogger),
    clock: systemClock,
    dayClock: new AdjustableClock(systemClock),
  };
  const start = () => {
    const job = purgeJob({ erase }, source, async () => systemClock.wall(), parts);
    job.runner.start();
    return job;
  };
  const first = start();
  await expect.poll(() => outcomes.length).toBe(1);
  await first.runner.stop();
  expect(await control.records.get(debugTokens, "7/app")).toBeDefined();
  const second = start();
  await expect.poll(() => control.records.get(debugTokens, "7/app")).toBeUndefined();
  await expect.poll(() => control.records.get(incidents, "7")).toBeUndefined();
  await second.runner.stop();
  expect(await control.records.get(debugTokens, "77/app")).toBeDefined();
  expect(new Set(erased)).toEqual(new Set(["7"]));
  const [last] = await control.records.history({ kinds: [debugTokens], newestFirst: true, limit: 1 });
  expect(last?.note).toMatchObject({ method: "purge" });
  const { values } = await metrics.storeErrors.get();
  expect(values).toMatchObject([{ labels: { caller: "purge" }, value: 1 }]);
  await control.close();
});
