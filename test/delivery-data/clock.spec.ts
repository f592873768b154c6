import { describe, expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { accepted, listOf, type Page } from "../support/data/delivery-data.js";
import { ndjson, postEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { it } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { setClock } from "../support/servers/set-clock.js";

const APP = "adjusted";
const START = "2026-11-20T20:00:00Z";
const CONFIG = {
  ...BASE_CONFIG,
  clock: { adjustable: true },
  messagingData: { settleDelay: "6h", retention: { deliveryData: "10d" } },
};

const clock = (server: Server, ...args: string[]) =>
  runInProcess(["clock", ...args, "--admin", server.adminUrl, "--data-dir", server.dataDir]);

async function importAt(server: Server, token: string, ...times: string[]): Promise<string> {
  const { text } = await postEvents(server, token, ndjson(times.map((time) => accepted(APP, time))));
  return text;
}

async function list(server: Server, token: string, query = ""): Promise<Page> {
  const { status, text } = await send(server.messagingDataUrl, listOf(APP) + query, { token });
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as Page;
}

const listedDays = async (server: Server, token: string): Promise<number[]> =>
  ((await list(server, token)).androidDeliveryData ?? []).map(({ date }) => date.day);

describe("with an adjustable clock", () => {
  it("lists, removes and rejects days immediately by its own time, and keeps access tokens valid", async ({
    startServer,
  }) => {
    const server = await startServer(CONFIG, ["--clock", START]);
    const token = await server.token(EDITOR);
    await importAt(server, token, "2026-11-18T20:00:00Z", "2026-11-19T20:00:00Z", START);
    await setClock(server, { advance: "1s" });
    expect(await listedDays(server, token)).toEqual([19, 18]);
    const { nextPageToken } = await list(server, token, "?pageSize=1");
    const follow = async (): Promise<number> => {
      const target = `${listOf(APP)}?pageSize=1&pageToken=${nextPageToken}`;
      return (await send(server.messagingDataUrl, target, { token })).status;
    };

    expect(await clock(server, "advance", "2d")).toMatchObject({ code: 0, stderr: "" });
    expect(await listedDays(server, token)).toEqual([20, 19, 18]);
    expect(await follow()).toBe(200);

    await setClock(server, { advance: "2d" });
    expect(await follow()).toBe(400);

    // The 24th begins at 8:00 UTC; the settle delay ends at 14:00.
    await importAt(server, token, "2026-11-23T20:00:00Z");
    await setClock(server, { time: "2026-11-24T13:59:00Z", rate: 0 });
    expect(await listedDays(server, token)).toEqual([20, 19, 18]);
    await setClock(server, { advance: "1m" });
    expect(await listedDays(server, token)).toEqual([23, 20, 19, 18]);

    // The 19th ended ten days ago.
    await setClock(server, { time: "2026-11-30T08:00:00Z" });
    expect(await listedDays(server, token)).toEqual([23, 20]);
    expect(await importAt(server, token, "2026-11-19T20:00:00Z")).toContain('"tooLateCount":"1"');
    expect(await importAt(server, token, "2026-12-03T20:00:00Z")).toContain("EVENT");

    // When the clock is set back, listed days disappear, and return later. Removed days do not return.
    await setClock(server, { time: "2026-11-21T20:00:00Z" });
    expect(await listedDays(server, token)).toEqual([20]);
    expect(await importAt(server, token, "2026-11-19T20:00:00Z")).toContain('"tooLateCount":"1"');
    const back = "2026-11-25T20:00:00.000Z";
    expect((await clock(server, "set", back)).stdout).toBe(`${back}, rate 0\n`);
    expect(await listedDays(server, token)).toEqual([23, 20]);
    const { text } = await send(server.messagingDataUrl, "/console/config.json");
    expect(JSON.parse(text)).toMatchObject({ clock: { time: Date.parse(back), rate: 0 } });

    const rejected = await clock(server, "advance", "2 days");
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toContain("must be a duration");
    const slip = await clock(server, "advance", "10d");
    expect(slip).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
    expect(await listedDays(server, token)).toEqual([23, 20]);
    expect(await clock(server, "advance", "10d", "--force")).toMatchObject({ code: 0, stderr: "" });
    expect(await listedDays(server, token)).toEqual([]);
  });
});

describe("a server without an adjustable clock", () => {
  it("rejects --clock unless the demo is enabled", async ({ startServer }) => {
    await expect(startServer(BASE_CONFIG, ["--clock"])).rejects.toThrow("--clock: needs --demo");
  });
});
