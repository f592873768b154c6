import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import { ListAndroidDeliveryDataRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { startOfDay } from "../../model/day.js";
import { PageTokens } from "../../paging/page-tokens.js";
import { COUNTS, type EntryQuery } from "../../store/delivery-data-store.js";
import type { VersionQuery } from "../../store/mirror-store.js";
import { listHandler } from "./list-handler.js";
import { ResponseCache } from "./versioned-cache.js";

const DAY = 20_000;
const START = startOfDay(DAY);

/** An entry with all its versions. Times are milliseconds since midnight. */
interface Kept {
  readonly appId: string;
  readonly label: string;
  readonly versions: readonly { readonly fetchedAt: number; readonly delivered: number }[];
}

const original = ({ appId, label }: Kept, delivered: number): string =>
  JSON.stringify({ appId, analyticsLabel: label, data: { messageOutcomePercents: { delivered } } });

interface Place {
  readonly appId?: string | undefined;
  readonly label: string;
}
const byPlace = (a: Place, b: Place): number =>
  Buffer.compare(Buffer.from(a.appId ?? ""), Buffer.from(b.appId ?? "")) ||
  Buffer.compare(Buffer.from(a.label), Buffer.from(b.label));

/** Creates a handler over a store in memory. `reads` counts its reads of entries. */
function listOf(kept: readonly Kept[], { isMirrored = true, now = 0 } = {}) {
  const sorted = [...kept].sort(byPlace);
  const reads: EntryQuery[] = [];
  const store = {
    readEntries: async (query: EntryQuery) => {
      reads.push(query);
      const { appId, after, limit, until } = query;
      const found = sorted
        .filter((entry) => until >= DAY && (appId === undefined || entry.appId === appId))
        .filter((entry) => after === undefined || byPlace(entry, { appId, ...after }) > 0)
        .slice(0, limit);
      const latest = found.map((entry) => ({ entry, ...entry.versions.at(-1) }));
      return [
        {
          length: found.length,
          days: found.map(() => DAY),
          appIds: found.map((entry) => entry.appId),
          labels: found.map((entry) => entry.label),
          counts: COUNTS.map(() => new Float64Array(found.length)),
          ...(query.originals && {
            originals: latest.map(({ entry, delivered = 0 }) => original(entry, delivered)),
            fetchedAt: latest.map(({ fetchedAt = 0 }) => START + fetchedAt),
          }),
        },
      ];
    },
    readVersions: async ({ appId, from, to, asOf }: VersionQuery) =>
      sorted
        .filter((entry) => appId === undefined || entry.appId === appId)
        .filter((entry) => byPlace(entry, { appId, ...from }) >= 0 && byPlace(entry, { appId, ...to }) <= 0)
        .flatMap((entry) => {
          const version = entry.versions.slice(0, -1).findLast(({ fetchedAt }) => START + fetchedAt <= asOf);
          return version === undefined
            ? []
            : [
                {
                  day: DAY,
                  appId: entry.appId,
                  label: entry.label,
                  fetchedAt: START + version.fetchedAt,
                  original: original(entry, version.delivered),
                },
              ];
        }),
    version: async () => "1",
  };
  const handle = listHandler({
    store,
    tokens: new PageTokens({ key: Buffer.alloc(32, 1), lenient: true, now: () => now }),
    responses: new ResponseCache(store),
    lastListedDay: () => DAY,
    isMirrored: () => isMirrored,
  });
  const call = async (query: { app?: string; asOf?: number; pageSize?: number; pageToken?: string } = {}) => {
    const { app = "-", asOf, ...rest } = query;
    const request = create(ListAndroidDeliveryDataRequestSchema, {
      parent: `projects/p/androidApps/${app}`,
      ...(asOf !== undefined && { asOf: timestampFromMs(START + asOf) }),
      ...rest,
    });
    return handle(request, callContext(projectCaller(), { resource: resourceName(request.parent) }));
  };
  const page = async (query: Parameters<typeof call>[0]) => {
    const { androidDeliveryData = [], nextPageToken } = JSON.parse((await call(query)).bytes.toString()) as {
      androidDeliveryData?: readonly object[];
      nextPageToken?: string;
    };
    return { entries: androidDeliveryData.map((entry) => JSON.stringify(entry)), nextPageToken };
  };
  const all = async (query: Parameters<typeof call>[0]) => {
    const entries: string[] = [];
    let pageToken: string | undefined = "";
    while (pageToken !== undefined) {
      const next = await page({ ...query, pageToken });
      expect(next.entries.length).toBeLessThanOrEqual(query?.pageSize ?? 1_000);
      entries.push(...next.entries);
      pageToken = next.nextPageToken;
    }
    return entries;
  };
  return { call, page, all, reads, sorted };
}

async function rejection(call: Promise<unknown>) {
  const error: unknown = await call.catch((error: unknown) => error);
  if (!(error instanceof ApiError)) throw new Error("the call was not rejected");
  return { reason: error.reason, field: error.violations[0]?.field };
}

const ENTRY: Kept = {
  appId: "a",
  label: "promo",
  versions: [
    { fetchedAt: 1_000, delivered: 12.5 },
    { fetchedAt: 2_000, delivered: 90 },
  ],
};

const kept: fc.Arbitrary<readonly Kept[]> = fc.uniqueArray(
  fc.record({
    appId: fc.constantFrom("a", "b"),
    label: fc.stringMatching(/^[a-d]{1,2}$/),
    versions: fc
      .uniqueArray(fc.record({ fetchedAt: fc.integer({ min: 0, max: 9 }), delivered: fc.nat(100) }), {
        minLength: 1,
        selector: ({ fetchedAt }) => fetchedAt,
      })
      .map((versions) => versions.sort((a, b) => a.fetchedAt - b.fetchedAt)),
  }),
  { selector: ({ appId, label }) => `${appId} ${label}`, maxLength: 30 },
);

describe("a list of mirrored entries", () => {
  it("returns entries as the upstream service returned them", async () => {
    const { page } = listOf([ENTRY]);
    expect((await page({})).entries).toEqual([original(ENTRY, 90)]);
  });

  test.each([
    [999, []],
    [1_000, [original(ENTRY, 12.5)]],
    [1_999, [original(ENTRY, 12.5)]],
    [2_000, [original(ENTRY, 90)]],
    [9e12, [original(ENTRY, 90)]],
  ])("with asOf %i ms returns the entries of that time", async (asOf, expected) => {
    expect((await listOf([ENTRY]).page({ asOf })).entries).toEqual(expected);
  });

  it("with asOf has the same entries for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(
        kept,
        fc.integer({ min: -1, max: 10 }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom("-", "a"),
        async (kept, asOf, pageSize, app) => {
          const { all, sorted } = listOf(kept);
          const expected = sorted
            .filter(({ appId }) => app === "-" || appId === app)
            .flatMap((entry) => {
              const version = entry.versions.findLast(({ fetchedAt }) => fetchedAt <= asOf);
              return version === undefined ? [] : [original(entry, version.delivered)];
            });
          expect(await all({ app, asOf, pageSize })).toEqual(expected);
        },
      ),
    );
  });

  it("with asOf skips entries that were unknown then, with few reads", async () => {
    const unknown = Array.from({ length: 4_000 }, (_, i) => ({
      ...ENTRY,
      label: `l${String(i).padStart(4, "0")}`,
    }));
    const { page, reads } = listOf([
      ...unknown,
      { ...ENTRY, label: "z", versions: [{ fetchedAt: 1, delivered: 3 }] },
    ]);
    const { entries, nextPageToken } = await page({ asOf: 500, pageSize: 1 });
    expect(entries).toHaveLength(1);
    expect(nextPageToken).toBeUndefined();
    expect(reads.length).toBeLessThan(10);
  });

  it("with asOf returns an empty page with a token after the maximum number of reads", async () => {
    const unknown = Array.from({ length: 20_000 }, (_, i) => ({
      ...ENTRY,
      label: `l${String(i).padStart(5, "0")}`,
    }));
    const { page, all } = listOf([
      ...unknown,
      { ...ENTRY, label: "z", versions: [{ fetchedAt: 1, delivered: 3 }] },
    ]);
    const { entries, nextPageToken } = await page({ asOf: 500, pageSize: 1 });
    expect(entries).toEqual([]);
    expect(nextPageToken).toBeDefined();
    expect(await all({ asOf: 500, pageSize: 1 })).toHaveLength(1);
  });

  it("with asOf reads no later days", async () => {
    const { call, reads } = listOf([ENTRY]);
    await call({ asOf: -2 * 86_400_000 });
    expect(reads.map(({ until }) => until)).toEqual([DAY - 2]);
  });

  it("has page tokens that are valid for one asOf only", async () => {
    const { page, call } = listOf([ENTRY, { ...ENTRY, label: "z" }]);
    const { nextPageToken: pageToken = "" } = await page({ asOf: 1_000, pageSize: 1 });
    expect((await page({ asOf: 1_000, pageSize: 1, pageToken })).entries).toHaveLength(1);
    const mismatch = { reason: "PAGE_TOKEN_MISMATCH", field: "pageToken" };
    expect(await rejection(call({ asOf: 1_001, pageSize: 1, pageToken }))).toEqual(mismatch);
    expect(await rejection(call({ pageSize: 1, pageToken }))).toEqual(mismatch);
  });

  it("caches pages separately for each asOf", async () => {
    const { call } = listOf([ENTRY]);
    const first = await call({ asOf: 1_000 });
    expect(await call({ asOf: 1_000 })).toBe(first);
    const other = await call({ asOf: 2_000 });
    expect(other.bytes).not.toEqual(first.bytes);
  });
});

test("a list of entries from events rejects asOf", async () => {
  const { call, reads } = listOf([ENTRY], { isMirrored: false });
  expect(await rejection(call({ asOf: 1_000 }))).toEqual({ reason: "INVALID_AS_OF", field: "asOf" });
  await call();
  expect(reads[0]).not.toHaveProperty("originals");
});

test.each([
  [{ seconds: 253_402_300_800n, nanos: 0 }],
  [{ seconds: -62_135_596_801n, nanos: 0 }],
  [{ seconds: 0n, nanos: 1_000_000_000 }],
  [{ seconds: 0n, nanos: -1 }],
])("a list rejects the invalid asOf %o", async (asOf) => {
  const { reads } = listOf([]);
  const handle = listHandler({
    store: { readEntries: async () => [], readVersions: async () => [] },
    tokens: new PageTokens({ key: Buffer.alloc(32, 1), lenient: true, now: () => 0 }),
    responses: new ResponseCache({ version: async () => "1" }),
    lastListedDay: () => DAY,
    isMirrored: () => true,
  });
  const request = create(ListAndroidDeliveryDataRequestSchema, { parent: "projects/p/androidApps/a", asOf });
  expect(
    await rejection(
      handle(request, callContext(projectCaller(), { resource: resourceName(request.parent) })),
    ),
  ).toEqual({
    reason: "INVALID_AS_OF",
    field: "asOf",
  });
  expect(reads).toEqual([]);
});
