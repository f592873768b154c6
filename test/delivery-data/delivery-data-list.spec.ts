import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { startOfDay } from "../../src/model/day.js";
import { accepted, allPages, entryName, listOf, type Page } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

/**
 * Every kind of character that a label may contain, in the order of bytes; the unlabelled entry comes first.
 */
const LABELS = ["", "%", "-", ".", "0", "A", "Z", "_", "a", "aa", "b", "~"];
const DAYS = ["2026-03-02", "2026-03-01", "2026-02-28", "2025-12-31"];
const LARGE_APP = "large.app";
const LARGE_APP_ENTRIES = 10_005;

const test = serving
  .extend(
    "get",
    ({ server, editor }) =>
      (target: string, headers = {}) =>
        send(server.messagingDataUrl, target, { token: editor, headers }),
  )
  .extend(
    "page",
    ({ get }) =>
      async (target: string): Promise<Page> =>
        JSON.parse((await get(target)).text),
  );

test.beforeAll(async ({ server, editor }) => {
  const small = DAYS.flatMap((day) =>
    LABELS.map((label) => accepted(ANDROID_APP, `${day}T20:00:00Z`, label)),
  );
  await importEvents(server, editor, small.reverse(), { appId: ANDROID_APP, entries: small.length });
  const large = Array.from({ length: LARGE_APP_ENTRIES }, (_, index) =>
    accepted(LARGE_APP, `2026-01-${10 + (index % 5)}T20:00:00Z`, `label-${index}`),
  );
  await importEvents(server, editor, large, { appId: LARGE_APP, entries: 10_000 });
});

const ORDER = DAYS.flatMap((day) => LABELS.map((label) => `${day} ${label}`));

describe("a page of delivery data", () => {
  test("lists the newest day first, then the entry without a label, then labels in byte order", async ({
    page,
  }) => {
    const { androidDeliveryData = [], nextPageToken } = await page(listOf(ANDROID_APP));
    expect(androidDeliveryData.map(entryName)).toEqual(ORDER);
    expect(nextPageToken).toBeUndefined();
  });

  test("has entries in the documented form", async ({ page }) => {
    const { androidDeliveryData } = await page(`${listOf(ANDROID_APP)}?pageSize=2`);
    const date = { year: 2026, month: 3, day: 2 };
    const data = { countMessagesAccepted: "1", messageOutcomePercents: {}, deliveryPerformancePercents: {} };
    expect(androidDeliveryData).toEqual([
      { appId: ANDROID_APP, date, data: { ...data, messageInsightPercents: {} } },
      { appId: ANDROID_APP, date, analyticsLabel: "%", data: { ...data, messageInsightPercents: {} } },
    ]);
  });

  test.for([
    ["the project's number", listOf(ANDROID_APP, PROJECT.number)],
    ["an app in percent-encoding", listOf(encodeURIComponent(ANDROID_APP))],
    ["a page size by its proto name", `${listOf(ANDROID_APP)}?page_size=1000`],
    ["an empty page token", `${listOf(ANDROID_APP)}?pageToken=`],
    ["an empty page token by its proto name", `${listOf(ANDROID_APP)}?page_token=`],
  ] as const)("is the same for %s", async ([_case, target], { get }) => {
    expect((await get(target)).text).toBe((await get(listOf(ANDROID_APP))).text);
  });

  test.for(["unknown.app", "%20", "%F0%9F%93%A6", "a+b", "a%2Fb", "%00", "x".repeat(257)])(
    "is empty for the app %s without data",
    async (app, { get }) => {
      expect(await get(listOf(app))).toMatchObject({ status: 200, text: "{}" });
    },
  );

  test("omits days that have not ended in America/Los_Angeles", async ({ server, editor, page }) => {
    const events = [TODAY - 2, TODAY, TODAY + 1].map((day) =>
      accepted("current.app", new Date(startOfDay(day)).toISOString()),
    );
    await importEvents(server, editor, events, { appId: "current.app", entries: 1 });
    const { androidDeliveryData = [] } = await page(listOf("current.app"));
    expect(androidDeliveryData).toHaveLength(1);
  });
});

describe("pageSize", () => {
  test.for([
    ["", 1_000],
    ["pageSize=0", 1_000],
    ["pageSize=1", 1],
    ["pageSize=%2B070", 70],
    ["page_size=999", 999],
    ["pageSize=1001", 1_001],
    ["pageSize=10000", 10_000],
    ["pageSize=10001", 10_000],
    ["pageSize=2147483647", 10_000],
  ] as const)("%s lists %d entries", async ([query, entries], { page }) => {
    const { androidDeliveryData, nextPageToken } = await page(`${listOf(LARGE_APP)}?${query}`);
    expect(androidDeliveryData).toHaveLength(entries);
    expect(nextPageToken).toMatch(/^[\w-]+$/);
  });

  test.for([-1, -2_147_483_648])("must not be negative: %d", async (pageSize, { get }) => {
    const { status, text } = await get(`${listOf(LARGE_APP)}?pageSize=${pageSize}`);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ status: "INVALID_ARGUMENT", fields: ["pageSize"] });
  });
});

describe("a list that is read page by page", () => {
  test.for([1, 5, ORDER.length - 1, ORDER.length, 1_000])(
    "shows every entry once in pages of %d",
    async (pageSize, { server, editor }) => {
      const pages = await allPages(
        server.messagingDataUrl,
        `${listOf(ANDROID_APP)}?pageSize=${pageSize}`,
        editor,
      );
      const entries = pages.map(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));
      expect(entries.flat()).toEqual(ORDER);
      expect(entries).toHaveLength(Math.ceil(ORDER.length / pageSize));
    },
  );

  test.for([["pageSize=10001"], ["key=default-page-size"]] as const)(
    "includes all entries of a large app: %s",
    async ([query], { server, editor }) => {
      const pages = await allPages(server.messagingDataUrl, `${listOf(LARGE_APP)}?${query}`, editor);
      const names = pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));
      expect(new Set(names).size).toBe(LARGE_APP_ENTRIES);
      expect(names).toHaveLength(LARGE_APP_ENTRIES);
    },
  );

  test("neither repeats nor skips entries while other entries arrive", async ({ server, editor, page }) => {
    const day = (number: number, label: string) =>
      accepted("busy.app", `2026-01-0${number}T20:00:00Z`, label);
    const before = [day(3, "m"), day(2, "m"), day(2, "x")];
    await importEvents(server, editor, before, { appId: "busy.app", entries: 3 });
    const first = await page(`${listOf("busy.app")}?pageSize=2`);
    const later = [day(4, "a"), day(3, "a"), day(2, "n"), day(1, "z")];
    await importEvents(server, editor, later, { appId: "busy.app", entries: 7 });
    const url = server.messagingDataUrl;
    const rest = await allPages(url, `${listOf("busy.app")}?pageSize=2`, editor, first.nextPageToken);
    const names = [first, ...rest].flatMap(({ androidDeliveryData = [] }) =>
      androidDeliveryData.map(entryName),
    );
    expect(names).toEqual(["2026-01-03 m", "2026-01-02 m", "2026-01-02 n", "2026-01-02 x", "2026-01-01 z"]);
  });
});

describe("the response with a page", () => {
  test.for([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)(
    "is compressed with %s on request, and then has its own entity tag",
    async ([coding, decompress], { get }) => {
      const plain = await get(listOf(ANDROID_APP));
      const packed = await get(listOf(ANDROID_APP), { "accept-encoding": coding });
      expect(packed.headers["content-encoding"]).toBe(coding);
      expect(packed.headers.vary).toContain("accept-encoding");
      expect(decompress(packed.bytes).toString()).toBe(plain.text);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      const conditional = { "accept-encoding": coding, "if-none-match": packed.headers.etag ?? "" };
      expect((await get(listOf(ANDROID_APP), conditional)).status).toBe(304);
    },
  );

  test.for(["", "identity", "gzip;q=0", "zstd, deflate"])(
    "is not compressed for Accept-Encoding %j",
    async (accepted, { get }) => {
      const { headers } = await get(listOf(ANDROID_APP), { "accept-encoding": accepted });
      expect(headers["content-encoding"]).toBeUndefined();
    },
  );

  test("keeps its entity tag until its entries change", async ({ server, editor, get }) => {
    const target = listOf("changing.app");
    const appId = "changing.app";
    await importEvents(server, editor, [accepted(appId, "2026-01-01T20:00:00Z")], { appId, entries: 1 });
    const { headers } = await get(target);
    const conditional = { "if-none-match": headers.etag ?? "" };
    expect((await get(target, conditional)).status).toBe(304);
    await importEvents(server, editor, [accepted(appId, "2026-01-02T20:00:00Z")], { appId, entries: 2 });
    expect((await get(target, conditional)).status).toBe(200);
  });

  test("has no body for HEAD", async ({ server, editor, get }) => {
    const whole = await get(listOf(ANDROID_APP));
    const head = await send(server.messagingDataUrl, listOf(ANDROID_APP), { method: "HEAD", token: editor });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.etag).toBe(whole.headers.etag);
    expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
  });
});
