import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, describe, expect, it, test } from "vitest";
import { ManualClock } from "../../auth/testing/manual-clock.js";
import { AdjustableClock } from "../../model/clock.js";
import type { Listener } from "../listen/listener.js";
import { adminListener } from "./admin-listener.js";
import { clockRoutes } from "./clock-routes.js";
import { ADMIN_ACCESS, ADMIN_HEADERS } from "./testing/admin-access.js";

const TIME = "2026-11-20T12:00:00.000Z";
const silent = pino({ level: "silent" });
const JSON_HEADERS = { ...ADMIN_HEADERS, "content-type": "application/json" };

let listener: Listener;
afterEach(() => listener.close());

/** Serves a clock that starts at {@link TIME} and moves only when it is set. */
async function serve({
  settled = async () => {},
  adjustable = true,
  retention = undefined as number | undefined,
  logger = silent,
} = {}): Promise<string> {
  const clock = new AdjustableClock(new ManualClock(), Date.parse(TIME));
  const parts = adjustable ? { clock, settled, retention, logger } : undefined;
  listener = adminListener({
    access: ADMIN_ACCESS,
    metrics: new Registry(),
    ready: async () => {},
    routes: clockRoutes(parts),
  });
  return `${await listener.listen("127.0.0.1", 0)}/clock`;
}

const show = (url: string): Promise<Response> => fetch(url, { headers: ADMIN_HEADERS });

const set = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: JSON_HEADERS,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

test.each([
  [{}, TIME, 1],
  [{ time: "2026-11-20T04:00:00.5-09:00" }, "2026-11-20T13:00:00.500Z", 1],
  [{ time: "1970-01-01T00:00:00Z" }, "1970-01-01T00:00:00.000Z", 1],
  [{ time: "9999-12-31T23:59:59.999Z" }, "9999-12-31T23:59:59.999Z", 1],
  [{ advance: "2d" }, "2026-11-22T12:00:00.000Z", 1],
  [{ advance: "1h30m", rate: 0 }, "2026-11-20T13:30:00.000Z", 0],
  [{ rate: 86_400 }, TIME, 86_400],
])("the clock change %j sets the clock to %s at the rate %d", async (change, time, rate) => {
  const url = await serve();
  const response = await set(url, change);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(await response.json()).toEqual({ time, rate });
  expect(await (await show(url)).json()).toEqual({ time, rate });
});

test("the log line of a clock change has one time, of the system clock", async () => {
  const lines: string[] = [];
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => void lines.push(line) },
  );
  await set(await serve({ logger }), { advance: "2d", rate: 60 });
  const [line = ""] = lines;
  expect(line.match(/"time":/g)).toHaveLength(2);
  const { time, clock } = JSON.parse(line);
  expect(clock).toEqual({ time: "2026-11-22T12:00:00.000Z", rate: 60 });
  expect(time).not.toBe(clock.time);
});

test.each([
  ["nothing", "", "MALFORMED_JSON", "body"],
  ["a list", [], "INVALID_BODY", "body"],
  ["an unknown field", { by: "2d" }, "INVALID_BODY", "body"],
  ["a date", { time: "2026-11-20" }, "INVALID_BODY", "time"],
  ["no such day", { time: "2026-02-30T00:00:00Z" }, "INVALID_BODY", "time"],
  ["no such hour", { time: "2026-11-20T24:00:00Z" }, "INVALID_BODY", "time"],
  ["a time without a zone", { time: "2026-11-20T12:00:00" }, "INVALID_BODY", "time"],
  ["a time before 1970", { time: "1969-12-31T23:59:59Z" }, "INVALID_BODY", "time"],
  ["a number as time", { time: 5 }, "INVALID_BODY", "time"],
  ["a negative duration", { advance: "-2d" }, "INVALID_BODY", "advance"],
  ["a duration without unit", { advance: "2" }, "INVALID_BODY", "advance"],
  ["a duration beyond 9999", { advance: "3652500d" }, "INVALID_BODY", "advance"],
  ["both a time and a duration", { time: TIME, advance: "2d" }, "INVALID_BODY", "advance"],
  ["a negative rate", { rate: -1 }, "INVALID_BODY", "rate"],
  ["too high a rate", { rate: 86_401 }, "INVALID_BODY", "rate"],
  ["a rate as text", { rate: "60" }, "INVALID_BODY", "rate"],
])("the clock change %s is rejected, and the clock stays the same", async (_, body, reason, field) => {
  const url = await serve();
  const response = await set(url, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { details: [{ reason }, { fieldViolations: [{ field }] }] },
  });
  expect(await (await show(url)).json()).toEqual({ time: TIME, rate: 1 });
});

describe("a clock that is not adjustable", () => {
  it("can be neither shown nor set", async () => {
    const url = await serve({ adjustable: false });
    for (const response of [await show(url), await set(url, { advance: "2d" })]) {
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({
        error: { status: "FAILED_PRECONDITION", details: [{ reason: "CLOCK_NOT_ADJUSTABLE" }] },
      });
    }
  });
});

it("a clock change gets its response when days have been updated, even if updating them failed", async () => {
  const waits: number[] = [];
  const url = await serve({
    settled: async (...given: number[]) => {
      waits.push(...given);
      throw new Error("the store is away");
    },
  });
  expect((await set(url, { advance: "2d" })).status).toBe(200);
  expect(waits).toEqual([10_000]);
});

describe("a clock change in a server with retention", () => {
  const retention = 30 * 86_400_000;

  test.each([
    [{ time: "9999-12-31T23:59:59Z" }, "time"],
    [{ time: "2026-12-20T12:00:00Z", force: false }, "time"],
    [{ advance: "30d" }, "advance"],
  ])("%j is rejected unless it is forced, because it would remove all listed days", async (change, field) => {
    const url = await serve({ retention });
    const response = await set(url, change);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining("force"), details: [{}, { fieldViolations: [{ field }] }] },
    });
    expect(await (await show(url)).json()).toEqual({ time: TIME, rate: 1 });
    expect((await set(url, { ...change, force: true })).status).toBe(200);
  });

  test.each([
    [{ advance: "29d" }],
    [{ time: "2026-12-20T11:59:59Z" }],
    [{ time: "1970-01-01T00:00:00Z" }],
    [{ rate: 86_400 }],
  ])("%j need not be forced", async (change) => {
    expect((await set(await serve({ retention }), change)).status).toBe(200);
  });
});
