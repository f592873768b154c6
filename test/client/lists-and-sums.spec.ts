import {
  type AndroidAppJson,
  type AndroidIncidentJson,
  type AppJson,
  type DeliveryDataGroupJson,
  type PagedList,
  type ProjectJson,
  WaybillClient,
  WaybillError,
} from "@waybill/client";
import { describe, expect, expectTypeOf } from "vitest";
import type { Entry } from "../support/data/delivery-data.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { type FaultyProxy, faultyProxy } from "../support/http/faulty-proxy.js";
import { it, test } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";

const APP = { project: PROJECT.id, app: ANDROID_APP };

let messagingData: FaultyProxy;
let client: WaybillClient;
let entries: readonly Entry[];
test.beforeAll(async ({ server, editor: token }) => {
  entries = await importTraffic(server, token, ANDROID_APP, "app-b");
  messagingData = await faultyProxy(server.messagingDataUrl);
  client = new WaybillClient({
    integrityUrl: server.integrityUrl,
    messagingDataUrl: messagingData.url,
    token,
    retry: { firstPauseMs: 1 },
  });
});
test.afterAll(() => messagingData.close());

/** Returns a failed call's error. Fails the test if the call succeeds. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (response) => new Error(`the call succeeded: ${JSON.stringify(response)}`),
    (error: unknown) => error,
  );

describe("WaybillClient lists", () => {
  test.each([1, undefined])("the registered apps of a project, in pages of %s", async (pageSize) => {
    const name = (app: string): string => `projects/${PROJECT.number}/apps/${app}`;
    expect(await client.listApps({ project: PROJECT.id, pageSize }).toArray()).toEqual(
      [IOS_APP, "app-7d"].map((appId) => ({ name: name(appId), appId })),
    );
  });

  it("the projects that the caller may read", async () => {
    expect(await client.listProjects().toArray()).toEqual([
      { name: `projects/${PROJECT.number}`, projectId: PROJECT.id },
    ]);
  });

  test.each([1, undefined])("the Android apps of a project, in pages of %s", async (pageSize) => {
    const days = { firstDate: { year: 2025, month: 3, day: 3 }, lastDate: { year: 2025, month: 3, day: 7 } };
    expect(await client.listAndroidApps({ project: PROJECT.id, pageSize }).toArray()).toEqual(
      [ANDROID_APP, "app-b"].map((appId) => ({
        name: `projects/${PROJECT.number}/androidApps/${appId}`,
        appId,
        ...days,
      })),
    );
  });

  it("a single page at a time, by page token", async () => {
    const own = entries.filter(({ appId }) => appId === ANDROID_APP);
    const before = messagingData.seen.length;
    const list = client.listDeliveryData({ ...APP, pageSize: own.length - 1 });
    const first = await list.readPage();
    const second = await list.readPage(first.nextPageToken);
    expect(first.androidDeliveryData).toEqual(own.slice(0, -1));
    expect(second).toEqual({ androidDeliveryData: own.slice(-1) });
    expect(messagingData.seen.length - before).toBe(2);
    const other = client.listDeliveryData({ ...APP, filter: 'analyticsLabel = ""', pageSize: 1 });
    expect(await failureOf(other.readPage(first.nextPageToken))).toMatchObject({
      code: "INVALID_ARGUMENT",
      reason: "PAGE_TOKEN_MISMATCH",
    });
  });
});

describe("WaybillClient sums delivery data", () => {
  it("of all entries, or by date, app or label", async () => {
    const own = entries.filter(({ appId }) => appId === ANDROID_APP);
    const messages = own.reduce((sum, { data }) => sum + Number(data.countMessagesAccepted), 0);
    const dates = new Set(own.map(({ date }) => date.day));
    const labels = new Set(own.map(({ analyticsLabel }) => analyticsLabel));

    const [total, ...others] = await client.aggregateDeliveryData(APP);
    expect(total?.counts?.countMessagesAccepted).toBe(String(messages));
    expect(others).toEqual([]);
    const byDate = await client.aggregateDeliveryData({ ...APP, groupBy: ["DATE"] });
    expect(byDate.map(({ date }) => date?.day)).toEqual([...dates].sort((a, b) => b - a));
    const byLabel = await client.aggregateDeliveryData({ ...APP, groupBy: ["ANALYTICS_LABEL"] });
    expect(new Set(byLabel.map(({ analyticsLabel }) => analyticsLabel))).toEqual(labels);
    const byBoth = await client.aggregateDeliveryData({ ...APP, groupBy: ["DATE", "ANALYTICS_LABEL"] });
    expect(byBoth).toHaveLength(own.length);
    const byApp = await client.aggregateDeliveryData({ ...APP, app: "-", groupBy: ["APP"] });
    expect(byApp.map(({ appId }) => appId)).toEqual([...new Set(entries.map(({ appId }) => appId))].sort());
  });

  it("for entries that match a filter, in all apps, by resource name", async () => {
    const filter = 'date = "2025-03-04"';
    const selected = entries.filter(({ date }) => date.day === 4);
    const messages = selected.reduce((sum, { data }) => sum + Number(data.countMessagesAccepted), 0);
    const parent = `projects/${PROJECT.number}/androidApps/-`;
    const [total] = await client.aggregateDeliveryData({ parent, filter });
    expect(total?.counts?.countMessagesAccepted).toBe(String(messages));
    expect(await client.aggregateDeliveryData({ ...APP, app: "none" })).toEqual([]);
  });

  it("again after a temporary failure", async () => {
    const before = messagingData.seen.length;
    messagingData.next("cut within", { status: 503 });
    expect(await client.aggregateDeliveryData(APP)).toHaveLength(1);
    expect(messagingData.seen.length - before).toBe(3);
  });
});

type Call = (client: WaybillClient, signal?: AbortSignal) => Promise<unknown>;
const of = (project: string): readonly [name: string, call: Call][] => [
  ["listApps", (client, signal) => client.listApps({ project, signal }).toArray()],
  ["listAndroidApps", (client, signal) => client.listAndroidApps({ project, signal }).toArray()],
  ["readPage", (client, signal) => client.listAndroidApps({ project, signal }).readPage()],
  ["listIncidents", (client, signal) => client.listIncidents({ ...APP, project, signal }).toArray()],
  ["aggregateDeliveryData", (client, signal) => client.aggregateDeliveryData({ ...APP, project, signal })],
];

test.each(of(OTHER_PROJECT.id))("%s fails without a role on the project", async (_, call) => {
  const failure = await failureOf(call(client));
  expect(failure).toBeInstanceOf(WaybillError);
  expect(failure).toMatchObject({ code: "PERMISSION_DENIED", reason: "PERMISSION_MISSING" });
});

test.each(of("a/b"))("%s rejects a project that no URL can contain, without a request", async (_, call) => {
  const before = messagingData.seen.length;
  expect(await failureOf(call(client))).toMatchObject({ code: "INVALID_ARGUMENT", httpStatus: undefined });
  expect(messagingData.seen).toHaveLength(before);
});

test.each(of(PROJECT.id))("%s fails with the abort reason of its signal", async (_, call) => {
  const reason = new Error("enough");
  expect(await failureOf(call(client, AbortSignal.abort(reason)))).toBe(reason);
});

test.each(of(PROJECT.id))("%s fails if the client has no address for its service", async (_, call) => {
  expect(await failureOf(call(new WaybillClient({ token: "t" })))).toBeInstanceOf(TypeError);
});

test("WaybillClient reports a repeated dimension with the service's error", async () => {
  const call = client.aggregateDeliveryData({ ...APP, groupBy: ["DATE", "DATE"] });
  expect(await failureOf(call)).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_GROUP_BY" });
});

test("the types of lists and sums match the contract", () => {
  type ItemOf<L> = L extends PagedList<infer Item, infer _> ? Item : never;
  expectTypeOf<ItemOf<ReturnType<WaybillClient["listApps"]>>>().toEqualTypeOf<AppJson>();
  expectTypeOf<ItemOf<ReturnType<WaybillClient["listProjects"]>>>().toEqualTypeOf<ProjectJson>();
  expectTypeOf<ItemOf<ReturnType<WaybillClient["listAndroidApps"]>>>().toEqualTypeOf<AndroidAppJson>();
  expectTypeOf<ItemOf<ReturnType<WaybillClient["listIncidents"]>>>().toEqualTypeOf<AndroidIncidentJson>();
  expectTypeOf(client.aggregateDeliveryData).returns.resolves.toEqualTypeOf<DeliveryDataGroupJson[]>();
  // @ts-expect-error A dimension must be one of the contract.
  void (() => client.aggregateDeliveryData({ ...APP, groupBy: ["OUTCOME"] }));
  // @ts-expect-error Apps belong to a project.
  void (() => client.listAndroidApps({}));
});
