import { type Logger, pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StoreOutageError, StoreUnavailableError } from "../../model/store-error.js";
import { FailureLog } from "./failure-log.js";

let lines: Record<string, unknown>[];
let isAway: boolean;
let failures: FailureLog;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  isAway = true;
  const logger: Logger = pino(
    { base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  failures = new FailureLog(logger);
  failures.checkBy("ClickHouse", async () => {
    if (isAway) throw outage();
  });
});
afterEach(async () => {
  await failures.close();
  vi.useRealTimers();
});

const outage = (cause = new Error("Code: 279. All connection tries failed\nmore")) =>
  new StoreOutageError("ClickHouse", "rolling up days failed", { cause });
const FAILED = "a rollup failed; will try again";

it("FailureLog logs an outage without a stack trace, again after 30 seconds, and when it ends", async () => {
  for (let second = 0; second < 45; second++) {
    failures.failed({ project: String(second) }, outage(), FAILED);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const line = {
    level: "error",
    database: "ClickHouse",
    problem: "rolling up days failed: Code: 279. All connection tries failed",
    msg: FAILED,
  };
  expect(lines).toEqual([
    { ...line, project: "0" },
    { ...line, project: "30", repeated: 29 },
  ]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lines.slice(2)).toEqual([
    {
      level: "info",
      database: "ClickHouse",
      durationMs: expect.any(Number),
      msg: "a database has recovered",
    },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toHaveLength(3);
});

it("FailureLog logs other errors with their stack trace, separately for each project", () => {
  const error = new StoreUnavailableError("the statement is wrong");
  for (const project of ["1", "1", "2"]) failures.failed({ project }, error, FAILED);
  expect(lines).toMatchObject([{ project: "1" }, { project: "2" }]);
  expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining("failure-log.spec") } });
});

it("FailureLog logs when an outage ends in which only calls have failed", async () => {
  failures.noted(outage());
  failures.noted(new Error("no outage"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(lines).toEqual([]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lines).toMatchObject([{ msg: "a database has recovered" }]);
});

it("FailureLog logs when each outage ends, even if the same failure repeats within 30 seconds", async () => {
  for (const fail of [() => failures.noted(outage()), () => failures.failed({}, outage(), FAILED)]) {
    for (let times = 0; times < 2; times++) {
      isAway = true;
      fail();
      isAway = false;
      await vi.advanceTimersByTimeAsync(2_000);
    }
  }
  expect(lines.filter(({ msg }) => msg === "a database has recovered")).toHaveLength(4);
});
