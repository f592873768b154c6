import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { requestAborted } from "../../api/errors.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import {
  AggregateAndroidDeliveryDataRequestSchema,
  AggregateAndroidDeliveryDataRequest_Dimension as Dimension,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { StoreUnavailableError, TooManyGroupsError } from "../../model/store-error.js";
import {
  COUNTS,
  type EntryFilter,
  type GroupColumns,
  type SumQuery,
} from "../../store/delivery-data-store.js";
import { PublishedVersions } from "../../store/duckdb/published-versions.js";
import { aggregateHandler } from "./aggregate-handler.js";
import { ResponseCache } from "./versioned-cache.js";

const PROJECT = { number: "123456789012" };
const TODAY = 20_000;
const USUAL_DATES: EntryFilter = { kind: "day", comparison: "<", day: 19_990 };

const groups = (length: number): GroupColumns => ({
  length,
  labels: Array.from({ length }, (_, i) => `l${i}`),
  counts: COUNTS.map(() => new Float64Array(length).fill(1)),
});

/** Returns a handler over a store that reads with `read`, and records the queries. */
function handlerOver(
  read: (query: SumQuery, signal?: AbortSignal) => Promise<readonly GroupColumns[]>,
  isMirrored = false,
) {
  const queries: SumQuery[] = [];
  const versions = new PublishedVersions();
  const lastListedDay = () => TODAY - 1;
  const store = {
    sumEntries: (query: SumQuery, signal?: AbortSignal) => {
      queries.push(query);
      return read(query, signal);
    },
    version: async (project: string, until: number) => versions.version(project, until),
  };
  const handle = aggregateHandler({
    store,
    responses: new ResponseCache(store),
    lastListedDay,
    isMirrored: () => isMirrored,
    usualDates: async () => USUAL_DATES,
  });
  const call = (over: object = {}, context: object = {}) => {
    const request = create(AggregateAndroidDeliveryDataRequestSchema, {
      parent: "projects/demo-project/androidApps/app",
      groupBy: [Dimension.ANALYTICS_LABEL],
      ...over,
    });
    const resource = resourceName(request.parent);
    return handle(request, callContext(projectCaller(PROJECT), { resource, ...context }));
  };
  const publish = (day: number, project = PROJECT.number) => versions.publish(project, [day]);
  return { call, queries, publish };
}

describe("aggregateHandler", () => {
  it("sums only usual dates on request", async () => {
    const { call, queries } = handlerOver(async () => [groups(1)]);
    await call();
    await call({ usualDatesOnly: true });
    await call({ usualDatesOnly: true, filter: "analyticsLabel = promo" });
    const promo = { kind: "label", comparison: "=", label: "promo" };
    expect(queries.map(({ filter }) => filter)).toEqual([
      undefined,
      USUAL_DATES,
      { kind: "and", operands: [promo, USUAL_DATES] },
    ]);
  });

  it("rejects usual dates of all apps", async () => {
    const { call } = handlerOver(async () => [groups(1)]);
    const parent = "projects/demo-project/androidApps/-";
    await expect(call({ parent, usualDatesOnly: true })).rejects.toMatchObject({
      reason: "USUAL_DATES_NEED_APP",
    });
  });

  it("sums up the listed days of one app or of all apps", async () => {
    const { call, queries } = handlerOver(async () => []);
    await call({ filter: "date > 2025-01-01" });
    await call({ parent: "projects/demo-project/androidApps/-", groupBy: [] });
    expect(queries).toMatchObject([
      { project: PROJECT.number, appId: "app", until: TODAY - 1, filter: { kind: "day" } },
      { project: PROJECT.number, until: TODAY - 1, groupBy: new Set() },
    ]);
    expect(queries[1]).not.toHaveProperty("appId");
  });

  it("caches an encoded response until its data changes", async () => {
    const { call, queries, publish } = handlerOver(async () => [groups(2)]);
    const first = await call();
    expect(await call()).toBe(first);
    await publish(TODAY);
    await publish(TODAY - 1, "210987654321");
    expect(await call()).toBe(first);
    const others = [
      { filter: "date > 2025-01-01" },
      { groupBy: [] },
      { groupBy: [Dimension.DATE] },
      { groupBy: [Dimension.APP] },
    ];
    for (const other of others) expect(await call(other)).not.toBe(first);
    expect(await call({}, { format: "binary" })).not.toBe(first);
    const before = queries.length;
    await publish(TODAY - 1);
    expect(await call()).not.toBe(first);
    expect(queries).toHaveLength(before + 1);
  });

  it("lets other work run between batches", async () => {
    const { call } = handlerOver(async () => Array.from({ length: 5 }, () => groups(2_000)));
    let turns = 0;
    let done = false;
    const count = () => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await call();
    done = true;
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it("stops when the call is aborted", async () => {
    const controller = new AbortController();
    const { call } = handlerOver(async (_, signal) => {
      controller.abort(requestAborted());
      signal?.throwIfAborted();
      return [];
    });
    await expect(call({}, { signal: controller.signal })).rejects.toMatchObject({
      reason: "REQUEST_ABORTED",
    });
    const encoding = new AbortController();
    const late = handlerOver(async () => {
      setImmediate(() => encoding.abort(requestAborted()));
      return Array.from({ length: 5 }, () => groups(2_000));
    });
    await expect(late.call({}, { signal: encoding.signal })).rejects.toMatchObject({
      reason: "REQUEST_ABORTED",
    });
  });

  it("fails with the store's error if the store is unavailable", async () => {
    const unavailable = new StoreUnavailableError("closed");
    const { call } = handlerOver(() => Promise.reject(unavailable));
    await expect(call()).rejects.toBe(unavailable);
  });

  it("marks sums of mirrored entries as computed from percentages", async () => {
    const [known, unknown] = [
      { ...groups(1), labels: ["a"] },
      { ...groups(1), labels: ["b"] },
    ];
    const zeros = COUNTS.map(() => new Float64Array(1));
    const { call, queries } = handlerOver(
      async () => [
        { ...known, withoutCounts: new Float64Array(1) },
        { ...unknown, counts: zeros, withoutCounts: Float64Array.of(7) },
      ],
      true,
    );
    const { bytes } = await call();
    expect(queries).toMatchObject([{ originals: true }]);
    expect(JSON.parse(bytes.toString()).groups).toEqual([
      { analyticsLabel: "a", counts: expect.objectContaining({ delivered: "1" }), fromPercentages: true },
      { analyticsLabel: "b", counts: {}, fromPercentages: true, excludedEntryCount: "7" },
    ]);
  });

  it("does not read originals if entries were computed from events", async () => {
    const { call, queries } = handlerOver(async () => [groups(1)]);
    const { bytes } = await call();
    expect(queries[0]).not.toHaveProperty("originals");
    expect(bytes.toString()).not.toContain("fromPercentages");
  });

  it("returns at most 10,000 groups", async () => {
    const more = handlerOver(() => Promise.reject(new TooManyGroupsError()));
    await expect(more.call()).rejects.toMatchObject({ reason: "TOO_MANY_GROUPS" });
    const { bytes } = await handlerOver(async ({ limit }) => [groups(6_000), groups(limit - 6_000)]).call();
    expect(JSON.parse(bytes.toString()).groups).toHaveLength(10_000);
  });
});
