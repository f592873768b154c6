import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import {
  ListAndroidIncidentsRequestSchema,
  ListAndroidIncidentsResponseSchema,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { CallShare, ResponseShares } from "../../http/responses/response-shares.js";
import { MAX_ALL_SLOTS } from "../../limits/request-limits.js";
import { systemClock } from "../../model/clock.js";
import { parseDay } from "../../model/day.js";
import { PageTokens } from "../../paging/page-tokens.js";
import { OUTCOMES } from "../detection/daily-counts.js";
import type { ShareIncident } from "../testing/app-incident.js";
import { MemoryRecords } from "../testing/memory-records.js";
import { IncidentTriage } from "../triage/incident-triage.js";
import { type AppIncident, byPlace } from "./app-incident.js";
import { AppIncidents, type EvaluatedApps } from "./app-incidents.js";
import { IncidentIds } from "./incident-ids.js";
import { listIncidentsHandler } from "./list-incidents-handler.js";

const PROJECT = { number: "123456789012" };
const day = (text: string): number => parseDay(text) ?? Number.NaN;

/** Creates an incident. Without a label, it affects the whole app. Without an end day, it is ongoing. */
function incident(
  start: string,
  appId: string,
  label: string | undefined,
  over: Partial<ShareIncident> = {},
) {
  const numbers = { usualPercent: 90, usualLowPercent: 88, usualHighPercent: 92, observedPercent: 36 };
  const startDay = day(start);
  return {
    appId,
    label,
    outcome: "delivered",
    startDay,
    ...numbers,
    excessMessageCount: 540,
    confidence: 0.999,
    ...over,
  } as const;
}

const LISTED: readonly AppIncident[] = [
  incident("2026-11-11", "a", "cart_reminder"),
  incident("2026-11-03", "a", "promo", { endDay: day("2026-11-05"), outcome: "droppedTtlExpired" }),
  incident("2026-11-03", "b", undefined, { endDay: day("2026-11-03") }),
  incident("2026-11-03", "b", "", { endDay: day("2026-11-09") }),
  incident("2026-11-03", "b", "B"),
  incident("2026-11-03", "b", "a"),
  incident("2026-11-03", "b", "a", { outcome: "pending" }),
  incident("2026-10-27", "a", undefined, { endDay: day("2026-10-27"), excessMessageCount: 2 ** 52 }),
];

/** Formats an incident as `start app label outcome`. */
const shortly = (listed: {
  appId?: string;
  analyticsLabel?: string;
  wholeApp?: boolean;
  outcome?: string;
  startDate?: object;
}) =>
  `${Object.values(listed.startDate ?? {}).join("-")} ${listed.appId} ${listed.wholeApp ? "*" : (listed.analyticsLabel ?? "")} ${listed.outcome}`;

const ALL = [
  "2026-11-11 a cart_reminder DELIVERED",
  "2026-11-3 a promo DROPPED_TTL_EXPIRED",
  "2026-11-3 b * DELIVERED",
  "2026-11-3 b  DELIVERED",
  "2026-11-3 b B DELIVERED",
  "2026-11-3 b a DELIVERED",
  "2026-11-3 b a PENDING",
  "2026-10-27 a * DELIVERED",
];

interface Query {
  readonly parent?: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly filter?: string;
}

/** @param asked receives the handler's queries. */
function handlerOf({ listed = LISTED, asked = [] as EvaluatedApps[], lenient = false } = {}) {
  const handle = listIncidentsHandler({
    incidents: {
      of: async (apps) => {
        asked.push(apps);
        return listed;
      },
    },
    ids: new IncidentIds(new MemoryRecords()),
    annotations: { list: async () => [] },
    triage: new IncidentTriage(new MemoryRecords(), systemClock),
    webhooks: [],
    tokens: new PageTokens({ key: Buffer.alloc(32, 1), lenient, now: () => 0 }),
    lastListedDay: () => day("2026-11-20"),
  });
  return async ({ parent = "projects/p/androidApps/-", ...query }: Query = {}) => {
    const request = create(ListAndroidIncidentsRequestSchema, { parent, ...query });
    const result = await handle(
      request,
      callContext(projectCaller(PROJECT), { resource: resourceName(parent) }),
    );
    return toJson(ListAndroidIncidentsResponseSchema, result);
  };
}

async function rejection(query: Query, handle = handlerOf()) {
  const error: unknown = await handle(query).catch((error: unknown) => error);
  if (!(error instanceof ApiError)) throw new Error("the call was not rejected");
  return { reason: error.reason, field: error.violations[0]?.field, message: error.message };
}

describe("listIncidentsHandler", () => {
  it("returns all fields of the contract", async () => {
    const { incidents = [], nextPageToken } = await handlerOf()();
    expect(incidents.map(shortly)).toEqual(ALL);
    expect(nextPageToken).toBeUndefined();
    expect([incidents[0], incidents[1], incidents[7]]).toEqual([
      {
        appId: "a",
        analyticsLabel: "cart_reminder",
        kind: "OUTCOME_SHARE",
        outcome: "DELIVERED",
        startDate: { year: 2026, month: 11, day: 11 },
        usualPercent: 90,
        usualLowPercent: 88,
        usualHighPercent: 92,
        observedPercent: 36,
        excessMessageCount: "540",
        confidence: 0.999,
        incidentId: expect.stringMatching(/^[0-9a-f]{16}$/),
        name: expect.stringMatching(/^projects\/123456789012\/androidApps\/a\/incidents\/[0-9a-f]{16}$/),
        state: "OPEN",
        etag: expect.stringMatching(/^.{22}$/),
      },
      expect.objectContaining({ endDate: { year: 2026, month: 11, day: 5 } }),
      expect.objectContaining({ wholeApp: true, excessMessageCount: String(2 ** 52) }),
    ]);
  });

  test.each(OUTCOMES.map((outcome) => [outcome]))(
    "returns the outcome %s in contract form",
    async (outcome) => {
      const { incidents } = await handlerOf({ listed: [incident("2026-11-11", "a", "", { outcome })] })();
      const inWords = outcome.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
      expect(incidents?.map((each) => each.outcome)).toEqual([inWords]);
    },
  );

  test.each([
    ["projects/p/androidApps/-", { project: PROJECT.number, until: day("2026-11-20") }],
    ["projects/p/androidApps/a", { project: PROJECT.number, until: day("2026-11-20"), appId: "a" }],
  ])("reads incidents of %s until the last listed day", async (parent, expected) => {
    const asked: EvaluatedApps[] = [];
    await handlerOf({ asked })({ parent });
    expect(asked).toEqual([expected]);
  });

  test.each(["\u0000", "a".repeat(300)])("returns nothing for the impossible app %j", async (appId) => {
    expect(await handlerOf()({ parent: `projects/p/androidApps/${appId}` })).toEqual({});
  });
});

it("listIncidentsHandler keeps response slots free for other calls while apps are evaluated", async () => {
  const shares = new ResponseShares();
  const handle = listIncidentsHandler({
    ids: new IncidentIds(new MemoryRecords()),
    annotations: { list: async () => [] },
    triage: new IncidentTriage(new MemoryRecords(), systemClock),
    webhooks: [],
    incidents: new AppIncidents(
      {
        version: async () => "1",
        listApps: async () => [{ appId: "app", firstDay: 0, lastDay: 1 }],
        sumEntries: () => new Promise(() => {}),
        readHistories: () => new Promise(() => {}),
        digestCounts: async () => "1",
      },
      () => false,
    ),
    tokens: new PageTokens({ key: Buffer.alloc(32, 1), lenient: false, now: () => 0 }),
    lastListedDay: () => day("2026-11-20"),
  });
  for (let caller = 0; caller <= MAX_ALL_SLOTS; caller++) {
    const share = new CallShare(shares, () => "");
    share.budgetKey = `caller-${caller}`;
    const { signal } = new AbortController();
    const context = callContext(projectCaller({ number: String(caller) }, share.budgetKey), {
      resource: resourceName("projects/p/androidApps/-"),
      waitForSlot: () => share.waitForSlot(signal),
    });
    const request = create(ListAndroidIncidentsRequestSchema, { parent: "projects/p/androidApps/-" });
    handle(request, context).catch(() => {});
  }
  await new Promise(setImmediate);
  const page = new CallShare(shares, () => "");
  page.budgetKey = "reader";
  void page.waitForSlot(new AbortController().signal);
  expect(shares.slots.waiting).toBe(0);
});

describe("listIncidentsHandler with pages", () => {
  test.each([1, 2, 3, 7, 8, 9])(
    "returns all incidents once, in order, for page size %i",
    async (pageSize) => {
      const handle = handlerOf();
      const read: string[] = [];
      let pages = 0;
      for (let pageToken = ""; ; pages++) {
        const page = await handle({ pageSize, pageToken });
        read.push(...(page.incidents ?? []).map(shortly));
        if (page.nextPageToken === undefined) break;
        expect(page.incidents).toHaveLength(pageSize);
        pageToken = page.nextPageToken;
      }
      expect(read).toEqual(ALL);
      expect(pages + 1).toBe(Math.ceil(ALL.length / pageSize));
    },
  );

  it("continues after its position if incidents were added or removed", async () => {
    const { nextPageToken: pageToken = "" } = await handlerOf()({ pageSize: 3 });
    const others = [incident("2026-11-12", "a", "new"), incident("2026-11-03", "b", "A"), ...LISTED.slice(4)];
    const page = await handlerOf({ listed: others.sort(byPlace) })({ pageSize: 3, pageToken });
    expect(page.incidents?.map(shortly)).toEqual(["2026-11-3 b A DELIVERED", ...ALL.slice(4, 6)]);
  });

  it("returns 100 incidents by default, and at most 1,000", async () => {
    const listed = Array.from({ length: 1_200 }, (_, i) =>
      incident("2026-11-11", `app-${String(i).padStart(4, "0")}`, "a"),
    );
    const lengthOf = async (pageSize: number) =>
      (await handlerOf({ listed })({ pageSize })).incidents?.length;
    expect([await lengthOf(0), await lengthOf(1_000), await lengthOf(5_000)]).toEqual([100, 1_000, 1_000]);
    expect(await rejection({ pageSize: -1 })).toMatchObject({
      reason: "INVALID_PAGE_SIZE",
      field: "pageSize",
    });
  });

  test.each([
    ["another page size", { pageSize: 2 }],
    ["another app", { parent: "projects/p/androidApps/a" }],
    ["another filter", { filter: "wholeApp = true" }],
  ])("rejects a page token of a list with %s", async (_, other) => {
    const { nextPageToken: pageToken = "" } = await handlerOf()({ pageSize: 3 });
    expect(await rejection({ pageSize: 3, pageToken, ...other })).toMatchObject({
      reason: "PAGE_TOKEN_MISMATCH",
      field: "pageToken",
    });
  });

  it("rejects an invalid page token", async () => {
    expect(await rejection({ pageToken: "garbage" })).toMatchObject({ reason: "PAGE_TOKEN_INVALID" });
  });
});

describe("listIncidentsHandler with a filter", () => {
  test.each([
    ["startDate = 2026-11-11", [0]],
    ["start_date >= 2026-11-03", [0, 1, 2, 3, 4, 5, 6]],
    ["startDate != 2026-11-03", [0, 7]],
    ["startDate:*", [0, 1, 2, 3, 4, 5, 6, 7]],
    ["endDate = 2026-11-03", [2]],
    ["endDate < 2026-11-05", [2, 7]],
    ["end_date:*", [1, 2, 3, 7]],
    ["NOT endDate:*", [0, 4, 5, 6]],
    ["startDate <= 2026-11-05 AND (endDate >= 2026-11-04 OR NOT endDate:*)", [1, 3, 4, 5, 6]],
    ["analyticsLabel = promo", [1]],
    ['analytics_label = ""', [3]],
    ["analyticsLabel:*", [0, 1, 4, 5, 6]],
    ['analyticsLabel = "*a*"', [0, 5, 6]],
    ["analyticsLabel != a", [0, 1, 3, 4]],
    ['analyticsLabel >= "b"', [0, 1]],
    ["NOT analyticsLabel = a", [0, 1, 2, 3, 4, 7]],
    ["wholeApp = true", [2, 7]],
    ["whole_app = false", [0, 1, 3, 4, 5, 6]],
    ["wholeApp != true", [0, 1, 3, 4, 5, 6]],
    ["wholeApp != false", [2, 7]],
    ["wholeApp:*", [2, 7]],
    ["wholeApp:false", [0, 1, 3, 4, 5, 6]],
    ["state = ENDED", [1, 2, 3, 7]],
    ["state != ENDED AND kind = OUTCOME_SHARE", [0, 4, 5, 6]],
    ["state = ACKNOWLEDGED", []],
    ["wholeApp = true OR analyticsLabel = promo", [1, 2, 7]],
    [" ", [0, 1, 2, 3, 4, 5, 6, 7]],
  ])("%s selects the incidents %j", async (filter, expected) => {
    const { incidents = [] } = await handlerOf()({ filter });
    expect(incidents.map(shortly)).toEqual(expected.map((index) => ALL[index]));
  });

  it("selects the same incidents in pages", async () => {
    const filter = "NOT endDate:*";
    const first = await handlerOf()({ filter, pageSize: 3 });
    const rest = await handlerOf()({ filter, pageSize: 3, pageToken: first.nextPageToken ?? "" });
    const read = [...(first.incidents ?? []), ...(rest.incidents ?? [])].map(shortly);
    expect(read).toEqual([0, 4, 5, 6].map((index) => ALL[index]));
    expect(rest.nextPageToken).toBeUndefined();
  });

  test.each([
    [
      "date = 2026-11-11",
      1,
      'there is no field "date" to filter by; use startDate, endDate, analyticsLabel, wholeApp, kind or state',
    ],
    ["startDate = 2026-11-31", 13, '"2026-11-31" is not a calendar date'],
    ["wholeApp = yes", 12, '"yes" is neither true nor false'],
    ["wholeApp = *", 12, '"*" is neither true nor false'],
    ["kind = silence", 8, '"silence" is not one of OUTCOME_SHARE, SILENCE, FALL, RISE'],
    ["kind > SILENCE", 8, 'values of kind cannot be compared by ">"'],
    ["wholeApp < true", 12, 'true and false cannot be compared by "<"'],
    ['analyticsLabel > "a*"', 18, '"*" is a wildcard only with'],
  ])("rejects %s at character %i", async (filter, position, message) => {
    const rejected = await rejection({ filter });
    expect(rejected).toMatchObject({ reason: "INVALID_FILTER", field: "filter" });
    expect(rejected.message).toContain(`at character ${position}: ${message}`);
  });
});
