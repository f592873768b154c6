import fc from "fast-check";
import { describe, expect } from "vitest";
import { errorOf, rejectionOf } from "../../src/api/testing/error-of.js";
import { appIds } from "../../src/simulator/simulate-traffic.js";
import { accepted, type Entry, inListOrder, listOf } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { type Sent, send } from "../support/http/exchange.js";
import { failureOf, wireErrorOf } from "../support/http/grpc.js";
import { test as serving } from "../support/http/grpc-test.js";
import { ANDROID_APP, EDITOR, NO_ROLE, OTHER_PROJECT, PROJECT, VIEWER } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const DAY_MS = 86_400_000;
const APPS = [...appIds(2), "com.example.app"];
const CROWDED = "crowded";
type Dimension = "DATE" | "APP" | "ANALYTICS_LABEL";
const GROUPINGS: readonly (readonly Dimension[])[] = [
  [],
  ["DATE"],
  ["ANALYTICS_LABEL"],
  ["DATE", "ANALYTICS_LABEL"],
  ["ANALYTICS_LABEL", "DATE"],
  ["APP"],
  ["APP", "ANALYTICS_LABEL"],
  ["DATE", "APP", "ANALYTICS_LABEL"],
];

interface Group {
  readonly appId?: string;
  readonly date?: Entry["date"];
  readonly analyticsLabel?: string;
  readonly counts: Readonly<Record<string, string>>;
}

const test = serving
  .extend("entries", { scope: "file", auto: true }, async ({ server }) =>
    (await importTraffic(server, await server.token(EDITOR), ...APPS)).sort(inListOrder),
  )
  .extend(
    "get",
    ({ server, viewer }) =>
      (target: string, sent: Sent = { token: viewer }) =>
        send(server.messagingDataUrl, target, sent),
  )
  .extend("groupsOf", ({ get }) => async (target: string): Promise<Group[]> => {
    const { status, text } = await get(target);
    expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    return (JSON.parse(text) as { groups?: Group[] }).groups ?? [];
  })
  .extend(
    "call",
    ({ viewer, messagingData }) =>
      (request: object, token: string | undefined = viewer) =>
        messagingData.unary<{ groups?: Group[] }>(
          "AggregateAndroidDeliveryData",
          { parent: `projects/${PROJECT.id}/androidApps/${APPS[0]}`, ...request },
          { token },
        ),
  );

const targetOf = (
  appId: string,
  groupBy: readonly string[] = [],
  filter = "",
  project: string = PROJECT.id,
) =>
  `${listOf(encodeURIComponent(appId), project)}:aggregate?${[
    ...groupBy.map((dimension) => `groupBy=${dimension}`),
    `filter=${encodeURIComponent(filter)}`,
  ].join("&")}`;

function countsOf({ data }: Entry): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === "string") {
      counts.set(name, Number(value));
      continue;
    }
    const ofNotifications = name === "proxyNotificationInsightPercents";
    const whole = Number(data[ofNotifications ? "countNotificationsAccepted" : "countMessagesAccepted"]);
    for (const [own, percent] of Object.entries(value as Record<string, number>)) {
      counts.set(own, Math.round((percent * whole) / 100));
    }
  }
  return counts;
}

/** The expected groups, computed from listed entries. */
function sumsOf(listed: readonly Entry[], groupBy: readonly Dimension[]): Group[] {
  const groups = new Map<string, { of: Entry; sums: Map<string, number> }>();
  for (const entry of listed) {
    const key = JSON.stringify([
      groupBy.includes("DATE") && entry.date,
      groupBy.includes("APP") && entry.appId,
      groupBy.includes("ANALYTICS_LABEL") && entry.analyticsLabel,
    ]);
    const group = groups.get(key) ?? {
      of: { ...entry, ...(!groupBy.includes("APP") && { appId: "" }) },
      sums: new Map<string, number>(),
    };
    groups.set(key, group);
    for (const [name, count] of countsOf(entry)) group.sums.set(name, (group.sums.get(name) ?? 0) + count);
  }
  const isOfDate = groupBy.includes("DATE");
  // Without DATE in the grouping, an entry's date must not affect the order.
  const date = { year: 1, month: 1, day: 1 };
  return [...groups.values()]
    .sort((a, b) => (isOfDate ? inListOrder(a.of, b.of) : inListOrder({ ...a.of, date }, { ...b.of, date })))
    .map(({ of, sums }) => ({
      ...(groupBy.includes("APP") && { appId: of.appId }),
      ...(isOfDate && { date: of.date }),
      ...(groupBy.includes("ANALYTICS_LABEL") &&
        of.analyticsLabel !== undefined && { analyticsLabel: of.analyticsLabel }),
      counts: Object.fromEntries([...sums].map(([name, sum]) => [name, String(sum)])),
    }));
}

describe("AggregateAndroidDeliveryData", () => {
  test.for(GROUPINGS.flatMap((groupBy) => [...APPS, "-"].map((appId) => ({ groupBy, appId }))))(
    "sums the entries of $appId by $groupBy",
    async ({ groupBy, appId }, { entries, groupsOf }) => {
      const listed = entries.filter((entry) => appId === "-" || entry.appId === appId);
      expect(listed.length).toBeGreaterThan(20);
      expect(await groupsOf(targetOf(appId, groupBy))).toEqual(sumsOf(listed, groupBy));
    },
  );

  test("sums the entries that the list selects with the same filter", async ({ entries, get, groupsOf }) => {
    const labels = [...new Set(entries.map(({ analyticsLabel = "" }) => analyticsLabel))];
    const condition = fc.oneof(
      fc
        .tuple(fc.constantFrom("=", "!=", "<", "<=", ">", ">="), fc.integer({ min: 2, max: 8 }))
        .map(([comparison, day]) => `date ${comparison} 2025-03-0${day}`),
      fc
        .tuple(fc.constantFrom("=", "!=", "<", ">"), fc.constantFrom(...labels))
        .map(([comparison, label]) => `analyticsLabel ${comparison} "${label}"`),
      fc.constantFrom('analyticsLabel = "*o*"', "analyticsLabel:*", "(NOT analyticsLabel:*)"),
    );
    const filter = fc
      .tuple(condition, fc.constantFrom(" AND ", " OR ", " AND NOT "), condition)
      .map((parts) => parts.join(""));
    const appId = fc.constantFrom(...APPS, "-");
    await fc.assert(
      fc.asyncProperty(filter, appId, fc.constantFrom(...GROUPINGS), async (filter, appId, groupBy) => {
        const list = `${listOf(appId)}?pageSize=10000&filter=${encodeURIComponent(filter)}`;
        const { androidDeliveryData = [] } = JSON.parse((await get(list)).text);
        expect(await groupsOf(targetOf(appId, groupBy, filter))).toEqual(
          sumsOf(androidDeliveryData, groupBy),
        );
      }),
      { numRuns: 60 },
    );
  });

  test.for(["unknown", "a/b", "\u0001"])("returns no groups for the app %j", async (appId, { get }) => {
    for (const groupBy of GROUPINGS) expect((await get(targetOf(appId, groupBy))).text).toBe("{}");
  });

  test("returns no groups if no entry matches the filter", async ({ get }) => {
    for (const groupBy of GROUPINGS) {
      expect((await get(targetOf("-", groupBy, "date > 2030-01-01"))).text).toBe("{}");
    }
  });

  test("accepts both names of the project and of the parameter", async ({ get }) => {
    const expected = (await get(targetOf("-", ["DATE"]))).text;
    expect((await get(targetOf("-", ["DATE"], "", PROJECT.number))).text).toBe(expected);
    expect((await get(targetOf("-").replace("filter=", "group_by=DATE"))).text).toBe(expected);
  });

  test("returns 304 for a matching If-None-Match", async ({ viewer, get }) => {
    const target = targetOf("-", ["DATE"]);
    const { headers } = await get(target);
    const sent = { token: viewer, headers: { "if-none-match": String(headers.etag) } };
    expect((await get(target, sent)).status).toBe(304);
    expect((await get(targetOf("-"), sent)).status).toBe(200);
  });

  test("includes newly imported events", async ({ server, groupsOf }) => {
    const app = "late";
    const editor = await server.token(EDITOR);
    for (const count of ["1", "2"]) {
      const event = accepted(app, "2025-03-04T20:00:00Z");
      const future = accepted(app, new Date(Date.now() + DAY_MS).toISOString());
      await importEvents(server, editor, [event, future], { appId: app, entries: 1 });
      await expect
        .poll(() => groupsOf(targetOf(app)))
        .toEqual([{ counts: { countMessagesAccepted: count } }]);
    }
  });
});

describe("AggregateAndroidDeliveryData rejects", () => {
  test.for([
    ["an unspecified dimension", ["DIMENSION_UNSPECIFIED"], "groupBy[0]"],
    ["a dimension that does not exist, by number", ["DATE", "7"], "groupBy[1]"],
    ["a dimension twice", ["DATE", "ANALYTICS_LABEL", "DATE"], "groupBy[2]"],
    ["a dimension twice, by number", ["DATE", "1"], "groupBy[1]"],
  ] as const)("%s", async ([_, groupBy, field], { get }) => {
    const { status, text } = await get(targetOf(ANDROID_APP, groupBy));
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ reason: "INVALID_GROUP_BY", fields: [field] });
  });

  test.for([
    ["groupBy=LABEL", "groupBy"],
    ["groupBy=", "groupBy"],
    ["pageSize=1", "pageSize"],
  ] as const)("the query %s", async ([query, field], { get }) => {
    const { status, text } = await get(`${listOf(ANDROID_APP)}:aggregate?${query}`);
    expect(status).toBe(400);
    expect(errorOf(text).fields).toEqual([field]);
  });

  test("a malformed filter", async ({ get }) => {
    expect(rejectionOf(await get(targetOf(ANDROID_APP, [], "date")))).toEqual([400, "INVALID_FILTER"]);
  });

  test.for<[string, (server: Server) => Promise<Sent>, string, number, string]>([
    ["no token", async () => ({}), PROJECT.id, 401, "CREDENTIALS_MISSING"],
    [
      "too narrow a scope",
      async (server) => ({ token: await server.token(VIEWER, "app-platform") }),
      PROJECT.id,
      403,
      "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
    ],
    [
      "no role",
      async (server) => ({ token: await server.token(NO_ROLE) }),
      PROJECT.id,
      403,
      "PERMISSION_MISSING",
    ],
    [
      "no role there",
      async (server) => ({ token: await server.token(VIEWER) }),
      OTHER_PROJECT.id,
      403,
      "PERMISSION_MISSING",
    ],
  ])("a caller with %s", async ([_, sent, project, status, reason], { server, get }) => {
    const response = await get(targetOf(ANDROID_APP, ["X"], "", project), await sent(server));
    expect([response.status, errorOf(response.text).reason]).toEqual([status, reason]);
  });

  test("more than 10,000 groups, but not 10,000", async ({ server, get, groupsOf }) => {
    const labels = Array.from({ length: 5_001 }, (_, i) => `l${String(i).padStart(4, "0")}`);
    const dates = ["2025-03-04T20:00:00Z", "2025-03-05T20:00:00Z"];
    const events = dates.flatMap((date) => labels.map((label) => accepted(CROWDED, date, label)));
    // The list shows a full page of the 10,002 entries.
    await importEvents(server, await server.token(EDITOR), events, { appId: CROWDED, entries: 10_000 });
    const both = ["DATE", "ANALYTICS_LABEL"];
    const { status, text } = await get(targetOf(CROWDED, both));
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ reason: "TOO_MANY_GROUPS", fields: ["groupBy"] });
    expect(errorOf(text).message).toContain("filter");
    expect(await groupsOf(targetOf(CROWDED, ["ANALYTICS_LABEL"]))).toHaveLength(5_001);
    const most = await groupsOf(targetOf(CROWDED, both, 'analyticsLabel != "l0000"'));
    expect(most).toHaveLength(10_000);
    expect(most.at(0)).toEqual({
      date: { year: 2025, month: 3, day: 5 },
      analyticsLabel: "l0001",
      counts: { countMessagesAccepted: "1" },
    });
  });
});

describe("AggregateAndroidDeliveryData over gRPC", () => {
  test.for(GROUPINGS.map((groupBy) => ({ groupBy })))(
    "returns the same sums as HTTP/JSON, grouped by $groupBy",
    async ({ groupBy }, { call, groupsOf }) => {
      const dimensions = groupBy.filter((dimension) => dimension !== undefined);
      const filter = "date >= 2025-03-04 AND date < 2025-03-08";
      const { message } = await call({ groupBy: dimensions, filter });
      const expected = await groupsOf(targetOf(APPS[0] ?? "", dimensions, filter));
      expect(expected.length).toBeGreaterThan(0);
      expect(message.groups).toEqual(expected);
    },
  );

  test.for([[[0]], [[7]], [["DATE", "DATE"]]] as const)(
    "rejects the grouping %j",
    async ([groupBy], { call }) => {
      const failure = await failureOf(call({ groupBy }));
      expect(wireErrorOf(failure)).toMatchObject({ status: "INVALID_ARGUMENT", reason: "INVALID_GROUP_BY" });
    },
  );

  test("rejects a caller without a role", async ({ server, call }) => {
    const failure = await failureOf(call({}, await server.token(NO_ROLE)));
    expect(wireErrorOf(failure)).toMatchObject({ reason: "PERMISSION_MISSING" });
  });
});
