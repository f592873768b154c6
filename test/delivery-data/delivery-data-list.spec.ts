import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, allPages, entryName, importEvents, listOf, type Page } from "../support/delivery-data.js";
import { send } from "../support/exchange.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import { ANDROID_APP, EDITOR, PROJECT } from "../support/waybill.js";

/**
 * Every kind of character that a label may contain, in the order of bytes; the unlabelled entry comes first.
 */
const LABELS = ["", "%", "-", ".", "0", "A", "Z", "_", "a", "aa", "b", "~"];
const DAYS = ["2026-03-02", "2026-03-01", "2026-02-28", "2025-12-31"];
const LARGE_APP = "large.app";
const LARGE_APP_ENTRIES = 10_005;
const HOUR_MS = 3_600_000;

let server: OpenServer;
let token: string;
beforeAll(async () => {
  server = await openServer();
  token = await server.token(EDITOR);
  const small = DAYS.flatMap((day) =>
    LABELS.map((label) => accepted(ANDROID_APP, `${day}T20:00:00Z`, label)),
  );
  await importEvents(server, token, small.reverse(), { appId: ANDROID_APP, entries: small.length });
  const large = Array.from({ length: LARGE_APP_ENTRIES }, (_, index) =>
    accepted(LARGE_APP, `2026-01-${10 + (index % 5)}T20:00:00Z`, `label-${index}`),
  );
  await importEvents(server, token, large, { appId: LARGE_APP, entries: 10_000 });
});
afterAll(() => server.close());

const ORDER = DAYS.flatMap((day) => LABELS.map((label) => `${day} ${label}`));
const get = (target: string, headers = {}) => send(server.messagingDataUrl, target, { token, headers });
const page = async (target: string): Promise<Page> => JSON.parse((await get(target)).text);

describe("a page of delivery data", () => {
  it("lists the newest day first, then the unlabelled entry, then labels by their bytes", async () => {
    const { androidDeliveryData = [], nextPageToken } = await page(listOf(ANDROID_APP));
    expect(androidDeliveryData.map(entryName)).toEqual(ORDER);
    expect(nextPageToken).toBeUndefined();
  });

  it("has entries of the documented form", async () => {
    const { androidDeliveryData } = await page(`${listOf(ANDROID_APP)}?pageSize=2`);
    const date = { year: 2026, month: 3, day: 2 };
    const data = { countMessagesAccepted: "1", messageOutcomePercents: {}, deliveryPerformancePercents: {} };
    expect(androidDeliveryData).toEqual([
      { appId: ANDROID_APP, date, data: { ...data, messageInsightPercents: {} } },
      { appId: ANDROID_APP, date, analyticsLabel: "%", data: { ...data, messageInsightPercents: {} } },
    ]);
  });

  it.each([
    ["the project's number", listOf(ANDROID_APP, PROJECT.number)],
    ["an app in percent-encoding", listOf(encodeURIComponent(ANDROID_APP))],
    ["a page size by its proto name", `${listOf(ANDROID_APP)}?page_size=1000`],
    ["an empty page token", `${listOf(ANDROID_APP)}?pageToken=`],
    ["an empty page token by its proto name", `${listOf(ANDROID_APP)}?page_token=`],
  ])("is the same for %s", async (_case, target) => {
    expect((await get(target)).text).toBe((await get(listOf(ANDROID_APP))).text);
  });

  it.each(["unknown.app", "%20", "%F0%9F%93%A6", "a+b", "a%2Fb", "%00", "x".repeat(257)])(
    "is empty for the app %s, which has no data",
    async (app) => {
      expect(await get(listOf(app))).toMatchObject({ status: 200, text: "{}" });
    },
  );

  it("leaves out days that have not ended in America/Los_Angeles", async () => {
    const after = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    const events = [-49, 1, 49].map((hours) => accepted("current.app", after(hours)));
    await importEvents(server, token, events, { appId: "current.app", entries: 1 });
    const { androidDeliveryData = [] } = await page(listOf("current.app"));
    expect(androidDeliveryData).toHaveLength(1);
  });
});

describe("pageSize", () => {
  test.each([
    ["", 1_000],
    ["pageSize=0", 1_000],
    ["pageSize=1", 1],
    ["pageSize=%2B070", 70],
    ["page_size=999", 999],
    ["pageSize=1001", 1_001],
    ["pageSize=10000", 10_000],
    ["pageSize=10001", 10_000],
    ["pageSize=2147483647", 10_000],
  ])("%s lists %d entries", async (query, entries) => {
    const { androidDeliveryData, nextPageToken } = await page(`${listOf(LARGE_APP)}?${query}`);
    expect(androidDeliveryData).toHaveLength(entries);
    expect(nextPageToken).toMatch(/^[\w-]+$/);
  });

  it.each([-1, -2_147_483_648])("must not be negative: %d", async (pageSize) => {
    const { status, text } = await get(`${listOf(LARGE_APP)}?pageSize=${pageSize}`);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ status: "INVALID_ARGUMENT", fields: ["pageSize"] });
  });
});

describe("a list read page by page", () => {
  it.each([1, 5, ORDER.length - 1, ORDER.length, 1_000])(
    "shows every entry once in pages of %d",
    async (pageSize) => {
      const pages = await allPages(
        server.messagingDataUrl,
        `${listOf(ANDROID_APP)}?pageSize=${pageSize}`,
        token,
      );
      const entries = pages.map(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));
      expect(entries.flat()).toEqual(ORDER);
      expect(entries).toHaveLength(Math.ceil(ORDER.length / pageSize));
    },
  );

  it.each([["pageSize=10001"], ["key=default-page-size"]])(
    "reaches the end of a large app: %s",
    async (query) => {
      const pages = await allPages(server.messagingDataUrl, `${listOf(LARGE_APP)}?${query}`, token);
      const names = pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));
      expect(new Set(names).size).toBe(LARGE_APP_ENTRIES);
      expect(names).toHaveLength(LARGE_APP_ENTRIES);
    },
  );

  it("neither repeats nor skips entries while others arrive", async () => {
    const day = (number: number, label: string) =>
      accepted("busy.app", `2026-01-0${number}T20:00:00Z`, label);
    const before = [day(3, "m"), day(2, "m"), day(2, "x")];
    await importEvents(server, token, before, { appId: "busy.app", entries: 3 });
    const first = await page(`${listOf("busy.app")}?pageSize=2`);
    const later = [day(4, "a"), day(3, "a"), day(2, "n"), day(1, "z")];
    await importEvents(server, token, later, { appId: "busy.app", entries: 7 });
    const url = server.messagingDataUrl;
    const rest = await allPages(url, `${listOf("busy.app")}?pageSize=2`, token, first.nextPageToken);
    const names = [first, ...rest].flatMap(({ androidDeliveryData = [] }) =>
      androidDeliveryData.map(entryName),
    );
    expect(names).toEqual(["2026-01-03 m", "2026-01-02 m", "2026-01-02 n", "2026-01-02 x", "2026-01-01 z"]);
  });
});

describe("the response with a page", () => {
  it.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)("is compressed with %s on request, with its own entity tag", async (coding, decompress) => {
    const plain = await get(listOf(ANDROID_APP));
    const packed = await get(listOf(ANDROID_APP), { "accept-encoding": coding });
    expect(packed.headers["content-encoding"]).toBe(coding);
    expect(packed.headers.vary).toContain("accept-encoding");
    expect(decompress(packed.bytes).toString()).toBe(plain.text);
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    const conditional = { "accept-encoding": coding, "if-none-match": packed.headers.etag ?? "" };
    expect((await get(listOf(ANDROID_APP), conditional)).status).toBe(304);
  });

  it.each(["", "identity", "gzip;q=0", "zstd, deflate"])(
    "is not compressed for Accept-Encoding %j",
    async (accepted) => {
      const { headers } = await get(listOf(ANDROID_APP), { "accept-encoding": accepted });
      expect(headers["content-encoding"]).toBeUndefined();
    },
  );

  it("keeps its entity tag until its entries change", async () => {
    const target = listOf("changing.app");
    const appId = "changing.app";
    await importEvents(server, token, [accepted(appId, "2026-01-01T20:00:00Z")], { appId, entries: 1 });
    const { headers } = await get(target);
    const conditional = { "if-none-match": headers.etag ?? "" };
    expect((await get(target, conditional)).status).toBe(304);
    await importEvents(server, token, [accepted(appId, "2026-01-02T20:00:00Z")], { appId, entries: 2 });
    expect((await get(target, conditional)).status).toBe(200);
  });

  it("has no body for HEAD", async () => {
    const whole = await get(listOf(ANDROID_APP));
    const head = await send(server.messagingDataUrl, listOf(ANDROID_APP), { method: "HEAD", token });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.etag).toBe(whole.headers.etag);
    expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
  });
});
