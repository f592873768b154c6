import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { attestedKeyOf } from "#console/model/integrity/attested-key.js";
import { type LoopbackServer, loopbackServer } from "#src/http/testing/loopback-server.js";
import { dayOfCivil } from "#src/model/day.js";
import type { IntegrityApi } from "./integrity-api.js";
import type { RegistryApi } from "./registry-api.js";
import type { EntriesSelection } from "./requests.js";
import { WaybillApi } from "./waybill-api.js";

const SELECTION: EntriesSelection = {
  project: "shop",
  app: "-",
  range: { first: dayOfCivil(2025, 3, 1), last: dayOfCivil(2025, 3, 7) },
  labels: undefined,
};

const KEY = "projects/shop/apps/a/attestedKeys/k";

/** Stubs the API. A number is an error with that HTTP status. */
type Service = (url: URL, request: IncomingMessage) => object | number;

const CODES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  503: "UNAVAILABLE",
};

let server: LoopbackServer;
let service: Service = () => 403;
/** Reports of a rejected token: the error message, and true if the token was accepted before. */
let rejections: [problem: string, wasAdmitted: boolean][];
beforeAll(async () => {
  server = await loopbackServer((request, response) => {
    const result = service(new URL(request.url ?? "", server.origin), request);
    const isError = typeof result === "number";
    response.writeHead(isError ? result : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isError ? { error: { message: "No.", status: CODES[result], details: [] } } : result),
    );
  });
});
afterAll(() => server.close());
beforeEach(() => {
  rejections = [];
});

function apiOf(urls: Partial<ConstructorParameters<typeof WaybillApi>[0]> = {}): WaybillApi {
  return new WaybillApi(
    { messagingData: server.origin, integrity: server.origin, registry: server.origin, ...urls },
    "a-token",
    (...rejection) => {
      rejections.push(rejection);
    },
  );
}

const SIGNAL = new AbortController().signal;

function integrityOf({ integrity }: WaybillApi): IntegrityApi {
  if (integrity === undefined) throw new Error("the app-integrity address is unknown");
  return integrity;
}

function registryOf({ registry }: WaybillApi): RegistryApi {
  if (registry === undefined) throw new Error("the registry address is unknown");
  return registry;
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
  ["apps of the app-integrity service", (api) => integrityOf(api).apps("shop")],
  ["failures", (api) => integrityOf(api).failures({ project: "shop", app: "a" }, undefined, SIGNAL)],
  ["revokeKey", (api) => integrityOf(api).revokeKey(attestedKeyOf({ name: KEY }))],
  ["apps of the registry", (api) => registryOf(api).apps("shop", SIGNAL)],
  ["policy", (api) => registryOf(api).policy("shop", SIGNAL)],
  ["setPolicy", (api) => registryOf(api).setPolicy("shop", {})],
])("%s reports a rejected token, and no other error", async (_, call) => {
  service = (_url, { headers }) => (headers.authorization === "Bearer a-token" ? 401 : 403);
  await expect(call(apiOf())).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(rejections).toEqual([["No.", false]]);
  service = () => 403;
  await expect(call(apiOf())).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(rejections).toEqual([["No.", false]]);
});

test.each([401, 403, 503])(
  "names and permissions are null after HTTP %d, without a report, because the page works without them",
  async (status) => {
    service = () => status;
    const registry = registryOf(apiOf());
    expect(await registry.projectNames(SIGNAL)).toBeNull();
    expect(await registry.permissions("shop", SIGNAL)).toBeNull();
    expect(rejections).toEqual([]);
  },
);

test("projectNames reads all pages, and omits projects without a name", async () => {
  const results = [{ projectId: "a", displayName: "Shop" }, { projectId: "b" }];
  service = ({ searchParams }) =>
    searchParams.get("pageToken") === "t"
      ? { results: [{ projectId: "c", displayName: "Store" }] }
      : { results, nextPageToken: "t" };
  expect(await registryOf(apiOf()).projectNames(SIGNAL)).toEqual(
    new Map([
      ["a", "Shop"],
      ["c", "Store"],
    ]),
  );
});

test("without its address, there is no registry", () => {
  expect(apiOf({ registry: null }).registry).toBeUndefined();
});

test("groups skips mirrored groups without figures", async () => {
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

test("excludedEntries counts entries that are excluded from sums", async () => {
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

test("a rejected token is reported with its earlier acceptance", async () => {
  const api = apiOf();
  service = () => ({});
  await api.projects();
  service = () => 401;
  await expect(api.projects()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(rejections).toEqual([["No.", true]]);
});

test("a temporary error is retried", async () => {
  let failures = 1;
  service = () => (failures-- > 0 ? 503 : { projects: [{ name: "projects/12", projectId: "shop" }] });
  expect(await apiOf().projects()).toEqual([{ id: "shop", number: "12", isMirrored: false }]);
});

describe("entries", () => {
  /** Three pages with one entry each. */
  const PAGES: Service = ({ searchParams }) => {
    const page = Number(searchParams.get("pageToken") ?? 0);
    return {
      androidDeliveryData: [{ analyticsLabel: `${page}/${searchParams.get("pageSize")}` }],
      ...(page < 2 && { nextPageToken: String(page + 1) }),
    };
  };

  it("returns a page with the next page token", async () => {
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

  it("skips empty pages", async () => {
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

  it("allEntries yields all pages", async () => {
    service = PAGES;
    const labels = (await collect(apiOf().allEntries(SELECTION, 7))).flat();
    expect(labels.map(({ analyticsLabel }) => analyticsLabel)).toEqual(["0/7", "1/7", "2/7"]);
  });

  it("throws the abort reason", async () => {
    service = PAGES;
    const stop = new AbortController();
    const pages = apiOf().allEntries(SELECTION, 7, stop.signal);
    await pages.next();
    stop.abort(new Error("enough"));
    await expect(pages.next()).rejects.toThrow("enough");
  });
});

describe("the app-integrity service", () => {
  it("lists apps with configurations that are read 100 at a time, in app order", async () => {
    const appIds = Array.from({ length: 250 }, (_, index) => `app-${index}`);
    const batches: number[] = [];
    service = ({ pathname, searchParams }) => {
      if (!pathname.endsWith(":batchGet")) return { apps: appIds.map((appId) => ({ appId })) };
      const names = searchParams.getAll("names");
      batches.push(names.length);
      return { configs: names.map((name) => ({ name })) };
    };
    expect(await integrityOf(apiOf()).apps("shop")).toEqual(
      appIds.map((appId) => ({ appId, config: { name: `projects/shop/apps/${appId}/appAttestConfig` } })),
    );
    expect(batches).toEqual([100, 100, 50]);
  });

  it("is available only if its address is known", () => {
    expect(apiOf().integrity).toBeDefined();
    expect(apiOf({ integrity: null }).integrity).toBeUndefined();
  });
});
