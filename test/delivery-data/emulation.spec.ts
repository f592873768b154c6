import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, type Entry, entryName, listOf, type Page } from "../support/data/delivery-data.js";
import { ndjson, postEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { createCredentials } from "../support/servers/credentials.js";
import { it as serving } from "../support/servers/fixtures.js";
import { googleClient } from "../support/servers/google-client.js";
import { untilLogged } from "../support/servers/log.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { setClock } from "../support/servers/set-clock.js";

const PARENT = `projects/${PROJECT.id}/androidApps/${ANDROID_APP}`;
/** Noon in Los Angeles. */
const START = "2026-11-20T20:00:00Z";
const DAYS = Array.from({ length: 13 }, (_, i) => `2026-11-${String(i + 7).padStart(2, "0")}`);

const emulating = (emulation: object): object => ({
  ...BASE_CONFIG,
  clock: { adjustable: true, start: START },
  messagingData: { emulation },
});

const it = serving.override("config", emulating({ extensions: false, tokenLifetime: "90s", window: "7d" }));

/**
 * Imports a day of 30 labelled messages and one without a label, for each of {@link DAYS}. The clock does not advance.
 */
async function fill(server: Server): Promise<string> {
  const token = await server.token(EDITOR);
  const events = DAYS.flatMap((day) =>
    Array.from({ length: 31 }, (_, i) => accepted(ANDROID_APP, `${day}T20:00:00Z`, i === 0 ? "" : "promo")),
  );
  const { status } = await postEvents(server, token, ndjson(events));
  expect(status).toBe(200);
  await setClock(server, { rate: 0 });
  return token;
}

const dayOf = (entry: Entry): string => entryName(entry).slice(0, "2026-11-07".length);
const daysOf = ({ androidDeliveryData = [] }: Page): string[] => [...new Set(androidDeliveryData.map(dayOf))];

/** Days in the sums, which are never emulated. */
async function trueDays(server: Server, token: string): Promise<string[]> {
  const target = `${listOf(ANDROID_APP)}:aggregate?groupBy=DATE`;
  const { status, text } = await send(server.messagingDataUrl, target, { token });
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text).groups.map(dayOf);
}

describe("a public client of a server that emulates FCM", () => {
  it("finds a delay, a missing day and omitted figures", async ({ startServer }) => {
    const habits = {
      seed: 3,
      window: "7d",
      delay: { min: "1d", max: "4d" },
      missingDays: 0.2,
      minMessages: 5,
    };
    const server = await startServer(emulating({ ...habits, rounding: 0 }));
    const token = await fill(server);
    const { list } = googleClient(server, token);
    const read = async (): Promise<Page> => (await list({ parent: PARENT })).data;

    // Yesterday's data is stored, but is listed after a day at the earliest.
    expect(await trueDays(server, token)).toContain("2026-11-19");
    const before = daysOf(await read());
    expect(before).not.toContain("2026-11-19");
    // All delays have passed; the window begins on the 16th.
    await setClock(server, { advance: "7d" });
    const after = daysOf(await read());
    expect(after).toContain("2026-11-19");
    expect(after.at(-1)).toBe("2026-11-16");

    // The clock is set back. Some days that are due and within the window are missing, and remain missing.
    await setClock(server, { time: "2026-11-21T08:00:00Z" });
    const due = DAYS.filter((day) => day >= "2026-11-10" && day <= "2026-11-16");
    const { androidDeliveryData = [] } = await read();
    const missing = due.filter((day) => !androidDeliveryData.map(dayOf).includes(day));
    expect(missing).not.toEqual([]);
    expect(missing.length).toBeLessThan(due.length);
    expect(await trueDays(server, token)).toEqual(expect.arrayContaining(missing));
    await setClock(server, { advance: "23h" });
    expect(daysOf(await read()).filter((day) => missing.includes(day))).toEqual([]);

    for (const { analyticsLabel, data } of androidDeliveryData) {
      if (analyticsLabel === undefined) expect(data).toEqual({});
      else expect(data).toMatchObject({ countMessagesAccepted: "30" });
    }
  });

  it("exceeds the quota, and gets an error with Retry-After", async ({ startServer }) => {
    const server = await startServer(emulating({ requestsPerMinute: 2 }));
    const token = await fill(server);
    const { list } = googleClient(server, token);
    const call = () => list({ parent: PARENT }, { retry: false });
    await call();
    await call();
    const error: unknown = await call().catch((error: unknown) => error);
    expect(error).toMatchObject({
      status: 429,
      response: { data: { error: { status: "RESOURCE_EXHAUSTED" } } },
    });
    const { status, headers, text } = await send(server.messagingDataUrl, listOf(ANDROID_APP), { token });
    expect([status, errorOf(text).reason]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(await trueDays(server, token)).toContain("2026-11-19");
  });
});

describe("a server that emulates FCM", () => {
  it("lets list calls fail in the same sequence after each start, and no other calls", async ({
    startServer,
  }) => {
    const config = emulating({ errors: 0.5, seed: 1 });
    const statuses = async (server: Server, token: string): Promise<number[]> => {
      const all: number[] = [];
      for (let call = 0; call < 20; call++) {
        all.push((await send(server.messagingDataUrl, listOf(ANDROID_APP), { token })).status);
        await trueDays(server, token);
        expect((await send(server.adminUrl, "/readyz")).status).toBe(200);
      }
      return all;
    };
    const server = await startServer(config);
    const first = await statuses(server, await fill(server));
    expect(new Set(first)).toEqual(new Set([200, 500, 503]));
    await server.stop();
    const again = await startServer(config);
    expect(await statuses(again, await again.token(EDITOR))).toEqual(first);
  });

  it("returns the same data until its clock is set, for any page size", async ({ startServer }) => {
    const server = await startServer(emulating({ preset: "original", errors: 0, seed: 5, minMessages: 0 }));
    const token = await fill(server);
    const { list } = googleClient(server, token);
    const { data } = await list({ parent: PARENT });
    const paged: Entry[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
      const page: Page = (await list({ parent: PARENT, pageSize: 1, pageToken })).data;
      expect(page.androidDeliveryData).toHaveLength(1);
      paged.push(...(page.androidDeliveryData ?? []));
      pageToken = page.nextPageToken;
    }
    expect(paged).toEqual(data.androidDeliveryData);

    const get = (headers = {}) => send(server.messagingDataUrl, listOf(ANDROID_APP), { token, headers });
    const { etag } = (await get()).headers;
    const since = { "if-none-match": String(etag) };
    expect((await get(since)).status).toBe(304);
    await setClock(server, { advance: "1d" });
    expect((await get(since)).status).toBe(200);
  });

  it("lists a day in the minute in which its delay ends", async ({ startServer }) => {
    const server = await startServer(emulating({ delay: "36h" }));
    const token = await fill(server);
    const newest = async (): Promise<string | undefined> => {
      const { text } = await send(server.messagingDataUrl, listOf(ANDROID_APP), { token });
      return daysOf(JSON.parse(text) as Page)[0];
    };
    // The 18th ended at 8:00 UTC of the 19th.
    await setClock(server, { time: "2026-11-20T19:59:59Z" });
    expect(await newest()).toBe("2026-11-17");
    await setClock(server, { time: START });
    expect(await newest()).toBe("2026-11-18");
  });

  it("rejects requests that FCM does not support", async ({ server }) => {
    const token = await fill(server);
    for (const target of [`${listOf(ANDROID_APP)}?filter=date:*`, listOf("-")]) {
      const { status, text } = await send(server.messagingDataUrl, target, { token });
      expect([status, errorOf(text).reason]).toEqual([400, "EXTENSION_NOT_ALLOWED"]);
    }
    expect(await trueDays(server, token)).toHaveLength(DAYS.length);
  });

  it("issues tokens with the configured lifetime", async ({ server }) => {
    const { token_url, subject_token } = await createCredentials(server, EDITOR);
    const response = await fetch(token_url, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token,
        subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      }),
    });
    expect(await response.json()).toMatchObject({ expires_in: 90 });
  });

  it("logs at startup that it emulates FCM", async ({ server }) => {
    await untilLogged(server, "emulate FCM");
  });
});
