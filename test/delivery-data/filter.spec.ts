import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { appIds } from "../../src/simulator/simulate-traffic.js";
import { accepted, allPages, type Entry, listOf, type Page } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, PROJECT } from "../support/servers/project.js";

const [APP = "", OTHER_APP = ""] = appIds(2);

serving.override("config", { ...BASE_CONFIG, pageTokens: { mode: "lenient" } });
const test = serving
  .extend("entries", { scope: "file", auto: true }, async ({ server, editor }) =>
    (await importTraffic(server, editor, APP, OTHER_APP)).filter(({ appId }) => appId === APP),
  )
  .extend(
    "get",
    ({ server, viewer }) =>
      (query: Record<string, string>, app = APP) =>
        send(server.messagingDataUrl, `${listOf(app)}?${new URLSearchParams(query)}`, { token: viewer }),
  )
  /** All entries that match a filter, read in pages of a size. */
  .extend("filtered", ({ server, viewer }) => async (filter: string, pageSize: number): Promise<Entry[]> => {
    const target = `${listOf(APP)}?${new URLSearchParams({ filter, pageSize: String(pageSize) })}`;
    const pages = await allPages(server.messagingDataUrl, target, viewer);
    return pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData);
  })
  .extend("first", ({ get }) => async (query: Record<string, string>): Promise<string> => {
    const { nextPageToken = "" } = JSON.parse((await get({ pageSize: "1", ...query })).text) as Page;
    expect(nextPageToken).not.toBe("");
    return nextPageToken;
  })

  /** Number of aborted lists in the log. */
  .extend(
    "givenUp",
    ({ server }) =>
      (): number =>
        server.log().match(/"operation":"ListAndroidDeliveryData".*"status":499.*"reason":"REQUEST_ABORTED"/g)
          ?.length ?? 0,
  );

/** Selects entries of March 2025 by day and label. */
type Picks = (day: number, label: string) => boolean;

describe("the list returns the expected entries of the simulator for the filter", () => {
  test.for<[string, Picks]>([
    ["", () => true],
    ["   ", () => true],
    ['date = "2025-03-05"', (day) => day === 5],
    ["date != 2025-03-05", (day) => day !== 5],
    ["date >= 2025-03-04 AND date < 2025-03-07", (day) => day >= 4 && day < 7],
    ["date:2025-03-03 OR date:2025-03-07", (day) => day === 3 || day === 7],
    ['analyticsLabel = ""', (_, label) => label === ""],
    ["analyticsLabel:*", (_, label) => label !== ""],
    ['analyticsLabel = "100%off"', (_, label) => label === "100%off"],
    ['analyticsLabel = "1*"', (_, label) => label.startsWith("1")],
    // SQL wildcards are ordinary characters here.
    ['analyticsLabel = "100_off" OR analyticsLabel = "%o%"', () => false],
    ['analyticsLabel = "*_status"', (_, label) => label.endsWith("_status")],
    ['analyticsLabel = "*e*"', (_, label) => label.includes("e")],
    ['analyticsLabel = "o*_*t*s"', (_, label) => label === "order_status"],
    ['analytics_label != "news.v2"', (_, label) => label !== "news.v2"],
    ["analyticsLabel = news.v2", (_, label) => label === "news.v2"],
    ['analyticsLabel = "NEWS.V2"', () => false],
    ['analyticsLabel >= "d" analyticsLabel < "p"', (_, label) => label >= "d" && label < "p"],
    ['analyticsLabel = ("chat" OR "promo")', (_, label) => ["chat", "promo"].includes(label)],
    // OR binds tighter than AND.
    [
      "date = 2025-03-04 AND analyticsLabel = chat OR analyticsLabel = promo",
      (day, label) => day === 4 && ["chat", "promo"].includes(label),
    ],
    [
      "(date = 2025-03-04 AND analyticsLabel = chat) OR analyticsLabel = promo",
      (day, label) => (day === 4 && label === "chat") || label === "promo",
    ],
    ["NOT analyticsLabel:* -date = 2025-03-04", (day, label) => label === "" && day !== 4],
    ["NOT (date < 2025-03-05 OR analyticsLabel = *o*)", (day, label) => day >= 5 && !label.includes("o")],
    ["date > 2025-03-07", () => false],
    ['analyticsLabel = "\' OR 1=1 --"', () => false],
  ])("%s", async ([filter, picks], { entries, filtered }) => {
    const expected = entries.filter(({ date, analyticsLabel = "" }) => picks(date.day, analyticsLabel));
    for (const pageSize of [1, 7, 1000]) expect(await filtered(filter, pageSize)).toEqual(expected);
  });
});

describe("an invalid filter", () => {
  test.for([
    ["delivered > 5", "delivered"],
    ["promo", "promo"],
    ["date", "date"],
    ["date = 2025-02-29", "2025-02-29"],
    ["date = yesterday()", "functions"],
    ["analyticsLabel > a*", "with"],
    ["(date:*", "not closed"],
    ["date:* AND", "missing"],
    ["date:* & date:*", "&"],
    ['analyticsLabel = "', "quote"],
    ["(".repeat(3_000), "20 deep"],
    [`analyticsLabel = "${"x".repeat(4_000)}"`, "4000 characters"],
    [Array.from({ length: 60 }, () => "date:*").join(" "), "50 comparisons"],
    [`analyticsLabel = "${"*a".repeat(30)}"`, "20 wildcards"],
  ] as const)("is rejected: %s", async ([filter, word], { get }) => {
    for (const query of [{ filter }, { filter, pageToken: "x", pageSize: "5" }]) {
      const { status, text } = await get(query);
      const { message, ...error } = errorOf(text);
      expect([status, error]).toMatchObject([
        400,
        { status: "INVALID_ARGUMENT", reason: "INVALID_FILTER", fields: ["filter"] },
      ]);
      expect(message).toMatch(/^Invalid filter: at character \d+: /);
      expect(message).toContain(word);
      expect(error.metadata).toEqual({ field: "filter", description: message.slice(16) });
    }
  });

  test("is rejected if it occurs twice", async ({ server, viewer }) => {
    const target = `${listOf(APP)}?filter=date:*&filter=date:*`;
    const { text } = await send(server.messagingDataUrl, target, { token: viewer });
    expect(errorOf(text)).toMatchObject({ reason: "DUPLICATE_PARAMETER", fields: ["filter"] });
  });

  test("is not reported to callers without permission", async ({ server }) => {
    const target = `${listOf(APP)}?filter=x`;
    expect((await send(server.messagingDataUrl, target)).status).toBe(401);
    const noRole = await server.token("no-role@example.com");
    expect((await send(server.messagingDataUrl, target, { token: noRole })).status).toBe(403);
  });
});

describe("a page token", () => {
  const filter = 'analyticsLabel = "chat"';
  test("is valid only for its filter, even if the page size may change", async ({ first, get, entries }) => {
    const [withFilter, without] = await Promise.all([first({ filter }), first({})]);
    for (const query of [
      { pageToken: withFilter },
      { filter: 'analyticsLabel = "promo"', pageToken: withFilter },
      { filter, pageToken: without },
    ]) {
      const { status, text } = await get({ pageSize: "1", ...query });
      expect([status, errorOf(text)]).toMatchObject([
        400,
        { reason: "PAGE_TOKEN_MISMATCH", fields: ["pageToken"] },
      ]);
      expect(errorOf(text).message).toContain("another filter");
    }
    const { androidDeliveryData } = JSON.parse((await get({ filter, pageToken: withFilter })).text) as Page;
    const expected = entries.filter(({ analyticsLabel }) => analyticsLabel === "chat").slice(1);
    expect(androidDeliveryData).toEqual(expected);
  });

  test("is valid only for its app, even with the same filter", async ({ first, get }) => {
    const pageToken = await first({ filter });
    const { text } = await get({ filter, pageSize: "1", pageToken }, OTHER_APP);
    expect(errorOf(text).message).toContain("another parent");
  });
});

describe("a client that disconnects while it reads a list", () => {
  const LARGE_APP = "large.app";
  test("ends its query without affecting other clients", async ({ server, editor, viewer, givenUp, get }) => {
    const events = Array.from({ length: 8_000 }, (_, i) =>
      accepted(LARGE_APP, "2026-01-10T20:00:00Z", `label-${i}`),
    );
    await importEvents(server, editor, events, { appId: LARGE_APP, entries: 8_000 });
    const { hostname, port } = new URL(server.messagingDataUrl);
    for (let pageSize = 10_000; givenUp() === 0 && pageSize > 9_000; pageSize--) {
      const socket = connect({ host: hostname, port: Number(port) });
      const target = `${listOf(LARGE_APP)}?pageSize=${pageSize}&filter=date:*`;
      const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${viewer}\r\n\r\n`;
      await once(socket, "connect");
      await new Promise((resolve) => socket.write(request, resolve));
      socket.destroy();
      // Other readers are served in the meantime.
      const { status } = await get({ pageSize: String(pageSize) });
      expect(status).toBe(200);
    }
    expect(givenUp()).toBeGreaterThan(0);
    const { status, text } = await get({ pageSize: "10000" }, LARGE_APP);
    expect([status, (JSON.parse(text) as Page).androidDeliveryData?.length]).toEqual([200, 8_000]);
  });
});

test("a list with a filter accepts the project number", async ({ server, viewer, entries }) => {
  const target = `/v1beta1/projects/${PROJECT.number}/androidApps/${APP}/deliveryData?filter=date:2025-03-05`;
  const { text } = await send(server.messagingDataUrl, target, { token: viewer });
  expect((JSON.parse(text) as Page).androidDeliveryData).toEqual(
    entries.filter(({ date }) => date.day === 5),
  );
});
