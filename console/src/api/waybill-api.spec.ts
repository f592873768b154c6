import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { type LoopbackServer, loopbackServer } from "#src/http/testing/loopback-server.js";
import { dayOfCivil } from "#src/model/day.js";
import type { EntriesSelection } from "./requests.js";
import { WaybillApi } from "./waybill-api.js";

const SELECTION: EntriesSelection = {
  project: "shop",
  app: "-",
  range: { first: dayOfCivil(2025, 3, 1), last: dayOfCivil(2025, 3, 7) },
  labels: undefined,
};

/** Answers a request of the API; a number stands for an error with that HTTP status. */
type Service = (url: URL, request: IncomingMessage) => object | number;

const CODES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  503: "UNAVAILABLE",
};

let server: LoopbackServer;
let service: Service = () => 403;
/** For each rejection of the token: its reason, and whether the token was accepted before. */
let rejections: [problem: string, wasAdmitted: boolean][];
beforeAll(async () => {
  server = await loopbackServer((request, response) => {
    const answer = service(new URL(request.url ?? "", server.origin), request);
    const isError = typeof answer === "number";
    response.writeHead(isError ? answer : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isError ? { error: { message: "No.", status: CODES[answer], details: [] } } : answer),
    );
  });
});
afterAll(() => server.close());
beforeEach(() => {
  rejections = [];
});

function apiOf(urls: Partial<ConstructorParameters<typeof WaybillApi>[0]> = {}): WaybillApi {
  return new WaybillApi(
    { messagingData: server.origin, integrity: server.origin, ...urls },
    "a-token",
    (...rejection) => {
      rejections.push(rejection);
    },
  );
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test.each<[name: string, call: (api: WaybillApi) => Promise<unknown>]>([
  ["projects", (api) => api.projects()],
  ["androidApps", (api) => api.androidApps("shop")],
  ["groups", (api) => api.groups({ ...SELECTION, groupBy: ["DATE"] })],
  ["incidents", (api) => api.incidents(SELECTION)],
  ["ongoingIncidents", (api) => api.ongoingIncidents("shop")],
  ["excludedEntries", (api) => api.excludedEntries(SELECTION)],
  ["mirrorGaps", (api) => api.mirrorGaps(SELECTION)],
  ["entries", (api) => api.entries({ ...SELECTION, pageSize: 1 })],
  ["allEntries", (api) => collect(api.allEntries(SELECTION, 1))],
  ["attestedApps", (api) => api.attestedApps("shop")],
])("%s reports a rejected token, and no other failure", async (_, call) => {
  service = (_url, { headers }) => (headers.authorization === "Bearer a-token" ? 401 : 403);
  await expect(call(apiOf())).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(rejections).toEqual([["No.", false]]);
  service = () => 403;
  await expect(call(apiOf())).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(rejections).toEqual([["No.", false]]);
});

test("groups of a mirror without figures are no groups without messages", async () => {
  const date = { year: 2025, month: 3, day: 1 };
  const groups = [
    { date: { ...date, day: 3 }, counts: { countMessagesAccepted: "4" }, fromPercentages: true },
    {
      date: { ...date, day: 2 },
      counts: { countMessagesAccepted: "2" },
      fromPercentages: true,
      excludedEntryCount: "1",
    },
    { date, counts: {}, fromPercentages: true, excludedEntryCount: "5" },
  ];
  service = () => ({ groups });
  const found = await apiOf().groups({ ...SELECTION, groupBy: ["DATE"] });
  expect(found.map(({ day, counts }) => [day, counts.countMessagesAccepted])).toEqual([
    [dayOfCivil(2025, 3, 3), 4],
    [dayOfCivil(2025, 3, 2), 2],
  ]);
});

test("the entries that sums leave out are counted", async () => {
  let asked: URLSearchParams | undefined;
  service = ({ searchParams }) => {
    asked = searchParams;
    return { groups: [{ fromPercentages: true, excludedEntryCount: "5" }] };
  };
  expect(await apiOf().excludedEntries(SELECTION)).toBe(5);
  expect([...(asked?.keys() ?? [])]).toEqual(["filter"]);
  service = () => ({});
  expect(await apiOf().excludedEntries(SELECTION)).toBe(0);
});

test("a token that was accepted before is told from one that never was", async () => {
  const api = apiOf();
  service = () => ({});
  await api.projects();
  service = () => 401;
  await expect(api.projects()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(rejections).toEqual([["No.", true]]);
});

test("a temporary failure is not shown", async () => {
  let failures = 1;
  service = () => (failures-- > 0 ? 503 : { projects: [{ projectId: "shop" }] });
  expect(await apiOf().projects()).toEqual([{ projectId: "shop" }]);
});

describe("entries", () => {
  /** Three pages with an entry each. */
  const PAGES: Service = ({ searchParams }) => {
    const page = Number(searchParams.get("pageToken") ?? 0);
    return {
      androidDeliveryData: [{ analyticsLabel: `${page}/${searchParams.get("pageSize")}` }],
      ...(page < 2 && { nextPageToken: String(page + 1) }),
    };
  };

  it("come as one page and the token of the next", async () => {
    service = PAGES;
    const query = { ...SELECTION, pageSize: 5 };
    expect(await apiOf().entries(query)).toEqual({
      entries: [{ analyticsLabel: "0/5" }],
      nextPageToken: "1",
    });
    expect(await apiOf().entries({ ...query, pageToken: "2" })).toEqual({
      entries: [{ analyticsLabel: "2/5" }],
      nextPageToken: undefined,
    });
  });

  it("come from behind pages without any", async () => {
    const pages: Record<string, object> = {
      "": { nextPageToken: "1" },
      1: { nextPageToken: "2" },
      2: { androidDeliveryData: [{ analyticsLabel: "a" }], nextPageToken: "3" },
      3: {},
    };
    service = ({ searchParams }) => pages[searchParams.get("pageToken") ?? ""] ?? 404;
    const query = { ...SELECTION, pageSize: 5 };
    expect(await apiOf().entries(query)).toEqual({
      entries: [{ analyticsLabel: "a" }],
      nextPageToken: "3",
    });
    expect(await apiOf().entries({ ...query, pageToken: "3" })).toEqual({
      entries: [],
      nextPageToken: undefined,
    });
  });

  it("come as all pages", async () => {
    service = PAGES;
    const labels = (await collect(apiOf().allEntries(SELECTION, 7))).flat();
    expect(labels.map(({ analyticsLabel }) => analyticsLabel)).toEqual(["0/7", "1/7", "2/7"]);
  });

  it("stop with the reason of the signal", async () => {
    service = PAGES;
    const stop = new AbortController();
    const pages = apiOf().allEntries(SELECTION, 7, stop.signal);
    await pages.next();
    stop.abort(new Error("enough"));
    await expect(pages.next()).rejects.toThrow("enough");
  });
});

describe("attestedApps", () => {
  it("reads the configurations of many apps 100 at a time, in the order of the apps", async () => {
    const appIds = Array.from({ length: 250 }, (_, index) => `app-${index}`);
    const batches: number[] = [];
    service = ({ pathname, searchParams }) => {
      if (!pathname.endsWith(":batchGet")) return { apps: appIds.map((appId) => ({ appId })) };
      const names = searchParams.getAll("names");
      batches.push(names.length);
      return { configs: names.map((name) => ({ name })) };
    };
    expect(await apiOf().attestedApps("shop")).toEqual(
      appIds.map((appId) => ({ appId, config: { name: `projects/shop/apps/${appId}/appAttestConfig` } })),
    );
    expect(batches).toEqual([100, 100, 50]);
  });

  it("are offered only if the address of their service is known", () => {
    expect(apiOf().knowsIntegrity).toBe(true);
    expect(apiOf({ integrity: null }).knowsIntegrity).toBe(false);
  });
});
