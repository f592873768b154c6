import { create, fromBinary, fromJson } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { ApiError } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import { EncodedBinary, EncodedJson } from "../../api/encoded-response.js";
import { requestAborted } from "../../api/errors.js";
import type { CallContext } from "../../api/service.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import {
  ListAndroidDeliveryDataRequestSchema,
  ListAndroidDeliveryDataResponseSchema,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { lastListedDay as lastListedDayAt } from "../../model/day.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { PageTokens } from "../../paging/page-tokens.js";
import type { DeliveryDataStore, EntryColumns } from "../../store/delivery-data-store.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import { blocksOf, settle } from "../../store/testing/test-events.js";
import { type ListDependencies, listHandler } from "./list-handler.js";
import type { VersionedEntries } from "./read-entries.js";
import { ResponseCache } from "./versioned-cache.js";

const PROJECT = { number: "123456789012" };
const PARENT = "projects/demo-project/androidApps/app";
const HOUR = 3_600_000;

let directory: string;
let store: DuckDbStore;
let time: number;
let list: ReturnType<typeof listHandler>;

beforeEach(async () => {
  directory = await testDirectory();
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
  time = Date.parse("2026-03-10T12:00:00-07:00");
  list = handlerOf();
});
afterEach(() => store.close());

function handlerOf({
  from = store as VersionedEntries & Pick<DeliveryDataStore, "version">,
  lenient = false,
  settleDelay = 0,
  key = 1,
  viewOf = undefined as ListDependencies["viewOf"],
} = {}): typeof list {
  const now = () => time;
  const lastListedDay = () => lastListedDayAt(time, settleDelay);
  return listHandler({
    store: from,
    tokens: new PageTokens({ key: Buffer.alloc(32, key), lenient, now }),
    responses: new ResponseCache(from),
    lastListedDay,
    isMirrored: () => false,
    viewOf,
  });
}

interface Query {
  readonly parent?: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly filter?: string;
}

const requestOf = (query: Query) =>
  create(ListAndroidDeliveryDataRequestSchema, {
    parent: PARENT,
    ...query,
  });

const contextOf = ({ parent = PARENT }: Query, more: Partial<CallContext<ProjectCaller>> = {}) =>
  callContext(projectCaller(PROJECT), { resource: resourceName(parent), ...more });

async function call(query: Query = {}, handler = list): Promise<EncodedJson> {
  const page = await handler(requestOf(query), contextOf(query));
  if (!(page instanceof EncodedJson)) throw new Error("the page is not JSON");
  return page;
}

interface Page {
  readonly androidDeliveryData?: readonly {
    readonly appId: string;
    readonly date: { readonly month: number; readonly day: number };
    readonly analyticsLabel?: string;
    readonly data: { readonly countMessagesAccepted: string };
  }[];
  readonly nextPageToken?: string;
}

const pageOf = async (response: Promise<EncodedJson>) =>
  JSON.parse((await response).bytes.toString()) as Page;
const page = (query: Query = {}, handler = list): Promise<Page> => pageOf(call(query, handler));

/** Formats each entry as `month/day label count`. */
const entriesOf = ({ androidDeliveryData = [] }: Page): string[] =>
  androidDeliveryData.map(
    ({ date, analyticsLabel = "", data }) =>
      `${date.month}/${date.day} ${analyticsLabel} ${data.countMessagesAccepted}`,
  );

async function rejection(query: Query, handler = list) {
  const error: unknown = await call(query, handler).catch((error: unknown) => error);
  if (!(error instanceof ApiError)) throw new Error("the call was not rejected");
  return { code: error.code, reason: error.reason, field: error.violations[0]?.field };
}
const complaint = (query: Query, handler = list): Promise<string> =>
  call(query, handler).then(
    () => "",
    (error: Error) => error.message,
  );
const invalid = (reason: string, field: string) => ({ code: Code.INVALID_ARGUMENT, reason, field });

let messages = 0;
/** Stores a message for each label on a day of March 2026, and rolls the day up. */
async function publish(dayOfMonth: number, labels: readonly string[], appId = "app"): Promise<void> {
  await store.append(
    PROJECT.number,
    blocksOf(
      labels.map((analyticsLabel) => ({
        appId,
        messageId: `m${messages++}`,
        eventTime: `2026-03-${String(dayOfMonth).padStart(2, "0")}T20:00:00Z`,
        eventType: "ACCEPTED",
        analyticsLabel,
        usageReportingOptIn: true,
      })),
    ),
  );
  await settle(store);
}
const labels = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `l${String(i).padStart(5, "0")}`);

async function allPages(query: Query, handler = list): Promise<Page[]> {
  const pages = [await page(query, handler)];
  for (let token = pages[0]?.nextPageToken; token !== undefined; token = pages.at(-1)?.nextPageToken) {
    pages.push(await page({ ...query, pageToken: token }, handler));
  }
  return pages;
}

describe("the page size of a list", () => {
  it("is 1,000 by default, at most 10,000, and must not be negative", async () => {
    await publish(5, labels(10_001));
    expect((await page()).androidDeliveryData).toHaveLength(1_000);
    expect((await page({ pageSize: 0 })).androidDeliveryData).toHaveLength(1_000);
    expect((await page({ pageSize: 999 })).androidDeliveryData).toHaveLength(999);
    for (const pageSize of [10_000, 10_001, 2 ** 31 - 1]) {
      const { androidDeliveryData, nextPageToken } = await page({ pageSize });
      expect(androidDeliveryData).toHaveLength(10_000);
      // The effective size has to match.
      const last = await page({ pageSize: 20_000, pageToken: nextPageToken ?? "" });
      expect(entriesOf(last)).toEqual(["3/5 l10000 1"]);
      expect(last).not.toHaveProperty("nextPageToken");
    }
    const { nextPageToken } = await page();
    expect(
      (await page({ pageSize: 1_000, pageToken: nextPageToken ?? "" })).androidDeliveryData,
    ).toHaveLength(1_000);
    for (const pageSize of [-1, -(2 ** 31)]) {
      expect(await rejection({ pageSize })).toEqual(invalid("INVALID_PAGE_SIZE", "pageSize"));
    }
  });

  test.each([
    [1, 6],
    [2, 3],
    [4, 2],
    [5, 2],
    [6, 1],
    [7, 1],
  ])("%i divides six entries into %i pages, the last one without a token", async (pageSize, pages) => {
    await publish(4, ["b", "", "a"]);
    await publish(5, ["B", "~", ""]);
    const all = await allPages({ pageSize });
    expect(all).toHaveLength(pages);
    expect(all.flatMap(entriesOf)).toEqual(["3/5  1", "3/5 B 1", "3/5 ~ 1", "3/4  1", "3/4 a 1", "3/4 b 1"]);
  });
});

describe("a delivery data list", () => {
  it("shows days that have ended in Los Angeles", async () => {
    await publish(8, ["a"]);
    await publish(9, ["b"]);
    time = Date.parse("2026-03-09T23:59:59.999-07:00");
    expect(entriesOf(await page())).toEqual(["3/8 a 1"]);
    time += 1;
    expect(entriesOf(await page())).toEqual(["3/9 b 1", "3/8 a 1"]);
  });

  it("shows a day only after the settle delay has passed", async () => {
    await publish(9, ["b"]);
    const settled = handlerOf({ settleDelay: 2 * HOUR });
    time = Date.parse("2026-03-10T01:59:59.999-07:00");
    expect(await page({}, settled)).toEqual({});
    time += 1;
    expect(entriesOf(await page({}, settled))).toEqual(["3/9 b 1"]);
  });

  it("keeps the remaining pages when another day is listed between two pages", async () => {
    time = Date.parse("2026-03-09T23:59:59.999-07:00");
    await publish(8, ["a", "b"]);
    await publish(9, ["c"]);
    const first = await page({ pageSize: 1 });
    time += 1;
    expect(entriesOf(await page({ pageSize: 1, pageToken: first.nextPageToken ?? "" }))).toEqual(["3/8 b 1"]);
  });
});

describe("a list of an app without data", () => {
  test.each(["unknown", "a%2Fb", "\u0000", "\ud83d", "a".repeat(300), "😀".repeat(256)])(
    "is an empty page: %j",
    async (appId) => {
      await publish(5, ["a"]);
      expect((await call({ parent: `projects/demo-project/androidApps/${appId}` })).bytes.toString()).toBe(
        "{}",
      );
    },
  );
});

describe("page tokens of a list", () => {
  const other = { parent: "projects/demo-project/androidApps/other" };
  let pageToken: string;
  beforeEach(async () => {
    await publish(5, ["a", "b", "c"]);
    pageToken = (await page({ pageSize: 1 })).nextPageToken ?? "";
  });

  it("are valid for the project's id and number", async () => {
    const parent = "projects/123456789012/androidApps/app";
    expect(entriesOf(await page({ parent, pageSize: 1, pageToken }))).toEqual(["3/5 b 1"]);
  });

  it("are rejected as a mismatch if another parameter differs", async () => {
    expect(await rejection({ pageSize: 2, pageToken })).toEqual(invalid("PAGE_TOKEN_MISMATCH", "pageToken"));
    expect(await rejection({ pageToken })).toEqual(invalid("PAGE_TOKEN_MISMATCH", "pageToken"));
    expect(await rejection({ ...other, pageSize: 1, pageToken })).toEqual(
      invalid("PAGE_TOKEN_MISMATCH", "pageToken"),
    );
  });

  it("allow a different pageSize, and nothing else, if they are lenient", async () => {
    const lenient = handlerOf({ lenient: true });
    expect(entriesOf(await page({ pageToken }, lenient))).toEqual(["3/5 b 1", "3/5 c 1"]);
    expect(await rejection({ ...other, pageSize: 1, pageToken }, lenient)).toEqual(
      invalid("PAGE_TOKEN_MISMATCH", "pageToken"),
    );
  });

  it("are rejected as invalid if they are damaged, expired or from another server", async () => {
    const expected = invalid("PAGE_TOKEN_INVALID", "pageToken");
    expect(await rejection({ pageSize: 1, pageToken: `${pageToken}A` })).toEqual(expected);
    expect(await rejection({ pageSize: 1, pageToken: "garbage" })).toEqual(expected);
    expect(await rejection({ pageSize: 1, pageToken }, handlerOf({ key: 2 }))).toEqual(expected);
    await page({ pageSize: 1, pageToken });
    time += 73 * HOUR;
    expect(await rejection({ pageSize: 1, pageToken })).toEqual(expected);
  });
});

describe("a publication between two calls of a list", () => {
  it("makes new data visible in the next call, even on a day that was listed before", async () => {
    await publish(5, ["a"]);
    expect(entriesOf(await page())).toEqual(["3/5 a 1"]);
    await publish(5, ["a", "b"]);
    expect(entriesOf(await page())).toEqual(["3/5 a 2", "3/5 b 1"]);
  });

  it("neither repeats nor hides earlier entries", async () => {
    await publish(4, ["b", "d"]);
    await publish(5, ["b", "d"]);
    const first = await page({ pageSize: 2 });
    await publish(6, ["new"]);
    await publish(5, ["a", "c", "e"]);
    await publish(4, ["a", "c"]);
    const rest = await allPages({ pageSize: 2, pageToken: first.nextPageToken ?? "" });
    expect([first, ...rest].flatMap(entriesOf)).toEqual([
      "3/5 b 1",
      "3/5 d 1",
      "3/5 e 1",
      "3/4 a 1",
      "3/4 b 1",
      "3/4 c 1",
      "3/4 d 1",
    ]);
  });
});

describe("a cached page of a list", () => {
  it("is encoded once for all equal calls", async () => {
    await publish(5, ["a", "b"]);
    const first = await call({ pageSize: 1 });
    expect(await call({ pageSize: 1 })).toBe(first);
    expect(await call({ parent: "projects/123456789012/androidApps/app", pageSize: 1 })).toBe(first);
    expect(await call({ pageSize: 2 })).not.toBe(first);
    await publish(5, ["a"], "other");
    expect((await call({ pageSize: 1 })).etag).toBe(first.etag);
  });

  it("stays valid while events of an unlisted day arrive", async () => {
    await publish(5, ["a"]);
    const first = await call();
    await publish(10, ["today"]);
    expect(await call()).toBe(first);
  });

  it("is encoded again with a new page token before the old token expires", async () => {
    await publish(5, ["a", "b"]);
    const { nextPageToken } = await page({ pageSize: 1 });
    time += 2 * HOUR;
    const later = await page({ pageSize: 1 });
    expect(later.nextPageToken).not.toBe(nextPageToken);
    time += 72 * HOUR;
    expect(entriesOf(await page({ pageSize: 1, pageToken: later.nextPageToken ?? "" }))).toEqual(["3/5 b 1"]);
  });

  it("is not used again if a rollup was published while it was read", async () => {
    await publish(5, ["a"]);
    let hold: ((read: readonly EntryColumns[]) => Promise<void>) | undefined;
    const handler = handlerOf({
      from: {
        readEntries: async (query) => {
          const read = await store.readEntries(query);
          await hold?.(read);
          return read;
        },
        readVersions: (...call) => store.readVersions(...call),
        version: (...call) => store.version(...call),
      },
    });
    hold = async () => {
      hold = undefined;
      await publish(5, ["b"]);
    };
    expect(entriesOf(await page({}, handler))).toEqual(["3/5 a 1"]);
    expect(entriesOf(await page({}, handler))).toEqual(["3/5 a 1", "3/5 b 1"]);
  });
});

describe("a list filter", () => {
  beforeEach(async () => {
    await publish(4, ["", "sale-1", "sale-2", "news"]);
    await publish(5, ["sale-1", "news"]);
    await publish(6, ["", "sale-2"]);
  });

  test.each([
    [
      "",
      [
        "3/6  1",
        "3/6 sale-2 1",
        "3/5 news 1",
        "3/5 sale-1 1",
        "3/4  1",
        "3/4 news 1",
        "3/4 sale-1 1",
        "3/4 sale-2 1",
      ],
    ],
    ['date = "2026-03-05"', ["3/5 news 1", "3/5 sale-1 1"]],
    ['analyticsLabel = ""', ["3/6  1", "3/4  1"]],
    ['analyticsLabel = "sale*" AND date >= "2026-03-05"', ["3/6 sale-2 1", "3/5 sale-1 1"]],
    ['NOT analyticsLabel:* OR date = "2026-03-05"', ["3/6  1", "3/5 news 1", "3/5 sale-1 1", "3/4  1"]],
    ["date > 2026-03-06", []],
  ])("selects the same entries for any page size: %s", async (filter, entries) => {
    expect(entriesOf(await page({ filter }))).toEqual(entries);
    for (const pageSize of [1, 2, 3]) {
      expect((await allPages({ filter, pageSize })).flatMap(entriesOf)).toEqual(entries);
    }
  });

  it("is checked before the page token", async () => {
    const expected = invalid("INVALID_FILTER", "filter");
    expect(await rejection({ filter: "date" })).toEqual(expected);
    expect(await rejection({ filter: "date", pageToken: "garbage" })).toEqual(expected);
    expect(await rejection({ filter: "date", parent: "projects/demo-project/androidApps/a%2Fb" })).toEqual(
      expected,
    );
  });

  it("must be the same as for the page token, even if the token is lenient", async () => {
    const filter = "date <= 2026-03-05";
    const { nextPageToken: pageToken = "" } = await page({ filter, pageSize: 1 });
    const { nextPageToken: unfiltered = "" } = await page({ pageSize: 1 });
    for (const handler of [list, handlerOf({ lenient: true })]) {
      expect(entriesOf(await page({ filter, pageSize: 1, pageToken }, handler))).toEqual(["3/5 sale-1 1"]);
      for (const query of [
        { pageSize: 1, pageToken },
        { filter: "date <= 2026-03-06", pageSize: 1, pageToken },
        { filter, pageSize: 1, pageToken: unfiltered },
      ]) {
        expect(await rejection(query, handler)).toEqual(invalid("PAGE_TOKEN_MISMATCH", "pageToken"));
        expect(await complaint(query, handler)).toContain("another filter");
      }
    }
    expect(await complaint({ filter, pageSize: 2, pageToken })).toContain("another pageSize");
    expect(entriesOf(await page({ filter: `  ${filter} `, pageSize: 1, pageToken }))).toEqual([
      "3/5 sale-1 1",
    ]);
  });

  it("is part of the cache key", async () => {
    const filtered = await call({ filter: 'analyticsLabel = "news"' });
    expect(await call({ filter: 'analyticsLabel = "news"' })).toBe(filtered);
    expect(await call({ filter: 'analyticsLabel = "sale-1"' })).not.toBe(filtered);
    expect(await call()).not.toBe(filtered);
  });
});

describe("a list of all apps", () => {
  const all = { parent: "projects/demo-project/androidApps/-" };
  /** Formats each entry as `month/day app label`. */
  const placesOf = ({ androidDeliveryData = [] }: Page): string[] =>
    androidDeliveryData.map(
      ({ appId, date, analyticsLabel = "" }) => `${date.month}/${date.day} ${appId} ${analyticsLabel}`,
    );
  const places = ["3/5 B ", "3/5 a ", "3/5 a x", "3/5 app y", "3/4 B x", "3/4 app ", "3/4 app x"];
  beforeEach(async () => {
    await publish(4, ["x"], "B");
    await publish(4, ["x", ""], "app");
    await publish(5, ["y"], "app");
    await publish(5, ["x", ""], "a");
    await publish(5, [""], "B");
  });

  it("is sorted by day, app and label for any page size", async () => {
    expect(placesOf(await page(all))).toEqual(places);
    for (const pageSize of [1, 2, 3, 6, 7]) {
      expect((await allPages({ ...all, pageSize })).flatMap(placesOf)).toEqual(places);
    }
  });

  it("can be filtered", async () => {
    const filter = 'analyticsLabel = "x"';
    const expected = ["3/5 a x", "3/4 B x", "3/4 app x"];
    expect((await allPages({ ...all, filter, pageSize: 1 })).flatMap(placesOf)).toEqual(expected);
  });

  it("has page tokens that the list of one app rejects, and vice versa", async () => {
    const { nextPageToken: pageToken = "" } = await page({ ...all, pageSize: 1 });
    expect(await complaint({ pageSize: 1, pageToken })).toContain("another parent");
    const { nextPageToken: one = "" } = await page({ pageSize: 1 });
    expect(await complaint({ ...all, pageSize: 1, pageToken: one })).toContain("another parent");
  });

  it("is read again after any of its apps has changed", async () => {
    await page(all);
    await publish(4, ["new"], "new");
    expect(placesOf(await page(all))).toContain("3/4 new new");
  });
});

describe("a binary page of a list", () => {
  const binary = async (query: Query = {}, handler = list) => {
    const page = await handler(requestOf(query), contextOf(query, { format: "binary" }));
    if (!(page instanceof EncodedBinary)) throw new Error("the page is not binary");
    return page;
  };

  it("has the same content as a JSON page, and is encoded only once", async () => {
    await publish(5, ["", "a", "b"]);
    for (const query of [
      {},
      { pageSize: 2 },
      { filter: "analyticsLabel:*" },
      { filter: "date:* NOT date:*" },
    ]) {
      const page = await binary(query);
      const json = JSON.parse((await call(query)).bytes.toString());
      expect(fromBinary(ListAndroidDeliveryDataResponseSchema, page.bytes)).toEqual(
        fromJson(ListAndroidDeliveryDataResponseSchema, json),
      );
      expect(await binary(query)).toBe(page);
    }
    const { bytes } = await binary({ parent: "projects/demo-project/androidApps/a%2Fb" });
    expect(bytes).toHaveLength(0);
  });
});

describe("a view of a list", () => {
  it("replaces the stored entries, and is read again after its key has changed", async () => {
    await publish(5, ["a", "b", "c"]);
    let shown = 1;
    const handler = handlerOf({
      viewOf: () => ({
        key: shown,
        readEntries: async (query) => ({ entries: await store.readEntries({ ...query, limit: shown }) }),
      }),
    });
    expect(entriesOf(await page({}, handler))).toEqual(["3/5 a 1"]);
    shown = 2;
    expect(entriesOf(await page({}, handler))).toEqual(["3/5 a 1", "3/5 b 1"]);
    expect(await call({}, handler)).toBe(await call({}, handler));
  });

  it("is not used by calls without a view, or by rejected calls", async () => {
    await publish(5, ["a"]);
    expect(entriesOf(await page({}, handlerOf({ viewOf: () => undefined })))).toEqual(["3/5 a 1"]);
    const refusing = handlerOf({
      viewOf: () => {
        throw ApiError.invalidArgument("EXTENSION_NOT_ALLOWED", "filter", "none");
      },
    });
    expect(await rejection({}, refusing)).toEqual(invalid("EXTENSION_NOT_ALLOWED", "filter"));
  });
});

describe("an aborted call of a list", () => {
  it("fails with the abort reason", async () => {
    await publish(5, ["a"]);
    const controller = new AbortController();
    const given = (signal: AbortSignal) =>
      list(requestOf({}), contextOf({}, { signal })).catch((error: unknown) => error);
    const outcome = given(controller.signal);
    const reason = requestAborted();
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(await given(AbortSignal.abort(reason))).toBe(reason);
    expect(entriesOf(await page())).toEqual(["3/5 a 1"]);
  });

  it("returns a cached page anyway", async () => {
    await publish(5, ["a"]);
    await page();
    const context = Object.defineProperty(contextOf({}), "signal", {
      get: () => {
        throw new Error("the signal was asked for");
      },
    });
    expect(await list(requestOf({}), context)).toBe(await call());
  });
});

it("a list fails with the store's error if the store is unavailable", async () => {
  await store.close();
  await expect(call({})).rejects.toBeInstanceOf(StoreUnavailableError);
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
});
