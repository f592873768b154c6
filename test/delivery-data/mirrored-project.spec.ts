import { join } from "node:path";
import { WaybillClient } from "@waybill/client";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { compareLabels } from "../../src/cli/mcp/compare-labels.js";
import { deliveryReport } from "../../src/cli/mcp/delivery-report.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { listOf } from "../support/data/delivery-data.js";
import { queryDuckDb } from "../support/data/duckdb.js";
import { parsedLines } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/http/grpc-test.js";
import { type GivenEntry, MIRRORED, mirroredServer } from "../support/servers/mirrored-project.js";
import { PROJECT } from "../support/servers/project.js";

const APP = "app";
const FIRST = "2026-03-08T08:00:00Z";
const SECOND = "2026-03-09T08:00:00.500Z";
const date = { year: 2026, month: 3, day: 6 };

const figures = (accepted: string, delivered: number) => ({
  countMessagesAccepted: accepted,
  messageOutcomePercents: { delivered, pending: 33.3 },
});

/** Entries as received from upstream, in list order. */
const GIVEN: readonly GivenEntry[] = [
  { fetchedAt: SECOND, entry: { appId: APP, date, data: figures("3", 33.3) } },
  { fetchedAt: SECOND, entry: { appId: APP, date, analyticsLabel: "late", data: figures("10", 60) } },
  {
    fetchedAt: SECOND,
    entry: { appId: APP, date, analyticsLabel: "promo", data: figures("1000", 66.7) },
    before: {
      fetchedAt: FIRST,
      entry: { appId: APP, date, analyticsLabel: "promo", data: figures("900", 12.5) },
    },
  },
  { fetchedAt: FIRST, entry: { appId: APP, date, analyticsLabel: "suppressed", data: {} } },
  {
    fetchedAt: FIRST,
    entry: { appId: APP, date: { year: 2026, month: 3 }, data: { countMessagesAccepted: "5" } },
  },
];
const LATEST = GIVEN.map(({ entry }) => entry);
const [, , PROMO, SUPPRESSED, PARTIAL] = GIVEN;
/** Entries as known after the first round. */
const AT_FIRST = [PROMO?.before?.entry, SUPPRESSED?.entry, PARTIAL?.entry];

const test = serving
  .extend("server", { scope: "file" }, mirroredServer(GIVEN))
  .extend("get", ({ server, viewer }) => async (target: string) => {
    const { status, text } = await send(server.messagingDataUrl, target, { token: viewer });
    return { status, text };
  })
  .extend("client", ({ server, viewer }) => {
    return new WaybillClient({ messagingDataUrl: server.messagingDataUrl, token: viewer });
  })
  .extend("list", ({ server, viewer }) => async (...flags: readonly string[]): Promise<string> => {
    const target = ["--server", server.messagingDataUrl, "--project", MIRRORED.id, "--app", APP];
    const { code, stdout, stderr } = await runInProcess(["list", ...target, "--token", viewer, ...flags]);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  });

const LIST = listOf(APP, MIRRORED.id);
const asOf = (time: string): string => `${LIST}?asOf=${encodeURIComponent(time)}`;

describe("a list in a mirrored project", () => {
  test("returns upstream's entries unchanged", async ({ get }) => {
    const expected = { status: 200, text: JSON.stringify({ androidDeliveryData: LATEST }) };
    expect(await get(LIST)).toEqual(expected);
    expect(await get(listOf("-", MIRRORED.number))).toEqual(expected);
  });

  test.for([
    ['analyticsLabel = "promo"', [PROMO?.entry]],
    ["date < 2026-03-06", [PARTIAL?.entry]],
    ["date > 2026-03-06", undefined],
  ] as const)("can be filtered by %s", async ([filter, androidDeliveryData], { get }) => {
    const { text } = await get(`${LIST}?filter=${encodeURIComponent(filter)}`);
    expect(JSON.parse(text)).toEqual(androidDeliveryData === undefined ? {} : { androidDeliveryData });
  });

  test.for([
    ["2026-03-08T07:59:59Z", undefined],
    [FIRST, AT_FIRST],
    ["2026-03-09T08:00:00.499999Z", AT_FIRST],
    ["2026-03-09T00:00:00.500-08:00", LATEST],
    ["2100-01-01T00:00:00Z", LATEST],
  ] as const)(
    "with asOf %s has the data that was known then",
    async ([time, androidDeliveryData], { get }) => {
      const { text } = await get(asOf(time));
      expect(JSON.parse(text)).toEqual(androidDeliveryData === undefined ? {} : { androidDeliveryData });
    },
  );

  test("with asOf has the same entries for any page size, for one app and for all apps", async ({
    client,
  }) => {
    for (const pageSize of [1, 2, 5]) {
      for (const app of [APP, "-"]) {
        const list = client.listDeliveryData({ project: MIRRORED.id, app, asOf: FIRST, pageSize });
        expect(await list.toArray()).toEqual(AT_FIRST);
      }
    }
  });

  test("has page tokens and entity tags that are valid for one asOf only", async ({
    get,
    server,
    viewer,
  }) => {
    const { nextPageToken } = JSON.parse((await get(`${asOf(FIRST)}&pageSize=1`)).text);
    const other = await get(`${asOf(SECOND)}&pageSize=1&pageToken=${nextPageToken}`);
    expect([other.status, errorOf(other.text).reason]).toEqual([400, "PAGE_TOKEN_MISMATCH"]);
    const tagOf = async (target: string) =>
      (await send(server.messagingDataUrl, target, { token: viewer })).headers.etag;
    expect(await tagOf(asOf(FIRST))).not.toBe(await tagOf(LIST));
  });

  test.for([
    ["of a project with events", `${listOf(APP, PROJECT.id)}?asOf=2026-03-08T08:00:00Z`],
    ["that is not a time", asOf("yesterday")],
  ] as const)("rejects asOf %s", async ([, target], { get }) => {
    const { status, text } = await get(target);
    expect([status, errorOf(text).fields]).toEqual([400, ["asOf"]]);
  });

  test("is the same over gRPC", async ({ messagingData, viewer }) => {
    const parent = `projects/${MIRRORED.id}/androidApps/${APP}`;
    const seconds = Date.parse(FIRST) / 1_000;
    const { message } = await messagingData.unary(
      "ListAndroidDeliveryData",
      { parent, asOf: { seconds } },
      { token: viewer },
    );
    expect(message.androidDeliveryData).toMatchObject([
      { analyticsLabel: "promo", data: { messageOutcomePercents: { delivered: 12.5 } } },
      { analyticsLabel: "suppressed", data: {} },
      { date: { year: 2026, month: 3 }, data: { countMessagesAccepted: "5" } },
    ]);
  });
});

test("sums in a mirrored project are computed from percentages, without entries that lack percentages", async ({
  client,
}) => {
  const sums = await client.aggregateDeliveryData({ project: MIRRORED.id, app: APP, groupBy: ["DATE"] });
  expect(sums).toEqual([
    {
      date,
      counts: { countMessagesAccepted: "1013", delivered: "674", pending: "337" },
      fromPercentages: true,
      excludedEntryCount: "1",
    },
    { date: { year: 2026, month: 3, day: 1 }, counts: {}, fromPercentages: true, excludedEntryCount: "1" },
  ]);
  const ofEvents = await client.aggregateDeliveryData({ project: PROJECT.id, app: APP });
  expect(ofEvents).toEqual([]);
});

const originOf = (excluded: number): string =>
  `Sums are computed from upstream percentages, which may be rounded. ${excluded === 1 ? "1 entry without figures is" : `${excluded} entries without figures are`} excluded.`;

test("a weekly report of a mirrored project states that its figures come from percentages", async ({
  server,
  viewer,
}) => {
  const flags = ["--project", MIRRORED.id, "--server", server.messagingDataUrl, "--token", viewer];
  const { stdout } = await runInProcess(["report", ...flags, "--week", "2026-03-06"]);
  expect(stdout).toContain(`\n\n${originOf(1)}\n\n`);
});

test("assistants read that sums of a mirrored project come from percentages", async ({ client }) => {
  const reading = { client, project: MIRRORED.id, signal: new AbortController().signal };
  const days = { app: APP, from: "2026-03-02", to: "2026-03-08" };
  const { lines } = await compareLabels.response(days, reading);
  expect(lines).toContain(originOf(1));
  expect(lines).toContain("suppressed: no figures");
  // The report also covers the week before.
  expect((await deliveryReport.response(days, reading)).lines).toContain(originOf(2));
});

test("a mirrored project is marked as mirrored in the list of projects", async ({ client }) => {
  const projects = await client.listProjects().toArray();
  expect(projects.map(({ projectId, mirrored }) => [projectId, mirrored])).toEqual([
    [PROJECT.id, undefined],
    [MIRRORED.id, true],
  ]);
});

test("apps in a mirrored project have the first and last day with entries", async ({ client }) => {
  expect(await client.listAndroidApps({ project: MIRRORED.id }).toArray()).toMatchObject([
    { appId: APP, firstDate: { year: 2026, month: 3, day: 1 }, lastDate: date },
  ]);
});

test("a project with events has no gaps, and gaps in a mirrored project can only be listed with a role", async ({
  client,
  get,
}) => {
  expect(await client.listMirrorGaps({ project: PROJECT.id, app: "-" }).toArray()).toEqual([]);
  const target = `/v1beta1/projects/${MIRRORED.id}/androidApps/-/mirrorGaps`;
  expect((await get(`${target}?pageSize=1`)).status).toBe(200);
  expect((await get(target.replace(MIRRORED.id, "other-project"))).status).toBe(403);
});

describe("waybill list", () => {
  test("prints the data that was known at an earlier time", async ({ list }) => {
    expect(parsedLines(await list("--as-of", FIRST, "--format", "ndjson"))).toEqual(AT_FIRST);
  });

  test("writes NULL for values that upstream has omitted", async ({ list, directory }) => {
    const out = join(directory, "mirrored.parquet");
    await list("--format", "parquet", "--out", out);
    const rows = await queryDuckDb(
      `SELECT analytics_label, count_messages_accepted, delivered, collapsed FROM '${out}' WHERE delivered IS NULL`,
    );
    expect(rows).toEqual([
      ["suppressed", null, null, null],
      ["", "5", null, null],
    ]);
  });
});

test("waybill gaps prints a project's gaps", async ({ server, viewer }) => {
  const target = ["--server", server.messagingDataUrl, "--project", PROJECT.id, "--app", "-"];
  const { code, stdout } = await runInProcess(["gaps", ...target, "--token", viewer, "--format", "json"]);
  expect([code, stdout]).toEqual([0, "[]\n"]);
});
