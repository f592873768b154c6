import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { startOfDay } from "../../src/model/day.js";
import { accepted, listOf, type Page } from "../support/data/delivery-data.js";
import { ndjson, parsedLines, postEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { accessToken } from "../support/servers/access-token.js";
import { it } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";
import { type ServerProcess, startProcess } from "../support/servers/server-process.js";
import { shiftedClock } from "../support/servers/shifted-clock.js";
import { TODAY } from "../support/today.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const APP = "clocked";
const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;

/** Directory that contains the server's data and its clock file. */
let place: string;
let server: ServerProcess;
/** Valid at every time to which the clock is set. */
let token: string;

it.beforeEach(async ({ directory }) => {
  place = directory;
  await setClock(0);
  server = await start();
  token = await accessToken(server.dataDir, EDITOR, { ttlSeconds: (2_000 * DAY) / 1_000 });
});
it.afterEach(() => server.stop());

/** Starts the server with a clock that tests can shift. */
function start(config: object = BASE_CONFIG): Promise<ServerProcess> {
  return startProcess(place, config, [], shiftedClock(clock()));
}

const clock = (): string => join(place, "clock");

/** Sets the server's clock offset, in milliseconds. */
const setClock = (offset: number): Promise<void> => writeFile(clock(), String(offset));

const isoOf = (offset: number): string => new Date(Date.now() + offset).toISOString();

async function importAt(time: string, label = ""): Promise<void> {
  const { status, text } = await postEvents(server, token, ndjson([accepted(APP, time, label)]));
  expect([status, text]).toEqual([200, '{"importedCount":"1"}']);
}

async function list(query = ""): Promise<Page> {
  const { status, text } = await send(server.messagingDataUrl, listOf(APP) + query, { token });
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as Page;
}

const counts = async (): Promise<unknown[]> =>
  ((await list()).androidDeliveryData ?? []).map(({ data }) => data.countMessagesAccepted);

async function listed(expected: readonly string[]): Promise<void> {
  expect(await poll(counts, (some) => JSON.stringify(some) === JSON.stringify(expected))).toEqual(expected);
}

describe("when the clock jumps", () => {
  it("a day is listed according to the current time, with all its events", async () => {
    const today = new Date(startOfDay(TODAY)).toISOString();
    await importAt(today);
    expect(await list()).toEqual({});
    await setClock(3 * DAY);
    await listed(["1"]);
    await setClock(0);
    await importAt(today);
    expect(await list()).toEqual({});
    await setClock(3 * DAY);
    await listed(["2"]);
  });

  it.each([
    ["a year back", -YEAR],
    ["ten hours back", -10 * HOUR],
    ["three years ahead", 3 * YEAR],
  ])("%s, events are rolled up without delay, even after a restart", async (_, offset) => {
    const time = isoOf(-2 * YEAR);
    await importAt(time);
    await listed(["1"]);
    await setClock(offset);
    await importAt(time);
    await listed(["2"]);
    await server.stop("SIGKILL");
    server = await start();
    await importAt(time);
    await listed(["3"]);
  });

  it("tokens expire according to the current time", async () => {
    const short = await server.token(EDITOR);
    const status = async (some: string): Promise<number> =>
      (await send(server.integrityUrl, CONFIG, { token: some })).status;
    for (const [offset, expected] of [
      [0, 200],
      [2 * HOUR, 401],
      [0, 200],
      [-YEAR, 200],
    ] as const) {
      await setClock(offset);
      expect([offset, await status(short), await status(token)]).toEqual([offset, expected, 200]);
    }
  });

  it("page tokens expire according to the current time", async () => {
    const days = [1, 2].map((year) => isoOf(-year * YEAR));
    for (const day of days) await importAt(day);
    await listed(["1", "1"]);
    const { nextPageToken } = await list("?pageSize=1");
    const target = `${listOf(APP)}?pageSize=1&pageToken=${nextPageToken}`;
    for (const [offset, expected] of [
      [4 * DAY, 400],
      [0, 200],
      [-10 * HOUR, 200],
    ] as const) {
      await setClock(offset);
      const { status } = await send(server.messagingDataUrl, target, { token });
      expect([offset, status]).toEqual([offset, expected]);
    }
  });

  it("configuration changes keep their order, even in the history", async () => {
    const change = async (seconds: number): Promise<void> => {
      const { status } = await send(server.integrityUrl, `${CONFIG}?updateMask=tokenTtl`, {
        method: "PATCH",
        token,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ tokenTtl: `${seconds}s` }),
      });
      expect(status).toBe(200);
    };
    await setClock(YEAR);
    await change(2_000);
    await setClock(-YEAR);
    await change(3_000);
    await server.stop();
    server = await start();
    const { text } = await send(server.integrityUrl, CONFIG, { token });
    expect(JSON.parse(text)).toMatchObject({ tokenTtl: "3000s" });
    const history = await runInProcess(["config", "history", "--data-dir", server.dataDir, "--json"]);
    expect(parsedLines(history.stdout).map(({ tokenTtl }) => tokenTtl)).toEqual(["2000s", "3000s"]);
  });

  it("the quota and Retry-After are unaffected", async () => {
    await server.stop();
    server = await start({ ...BASE_CONFIG, quota: { requestsPerMinute: 2 } });
    const ask = () => send(server.integrityUrl, CONFIG, { token });
    for (const expected of [200, 200]) expect((await ask()).status).toBe(expected);
    for (const offset of [0, YEAR, -YEAR]) {
      await setClock(offset);
      const { status, headers } = await ask();
      expect([offset, status]).toEqual([offset, 429]);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
  });
});
