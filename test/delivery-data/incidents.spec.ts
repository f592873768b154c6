import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import type { AndroidIncidentJson } from "../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { civilDate, formatDay } from "../../src/model/day.js";
import { incidentsOf, listOf } from "../support/data/delivery-data.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch, parsedLines } from "../support/data/import.js";
import { sender } from "../support/http/exchange.js";
import { failureOf, wireErrorOf } from "../support/http/grpc.js";
import { test as serving } from "../support/http/grpc-test.js";
import { OTHER_PROJECT, PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const DAYS = 42;
/** The traffic ends yesterday. */
const START = TODAY - DAYS;
const LABELS = ["cart_reminder", "news", "promo", ""];
/** The label with a permanent drop. */
const FALLS = START + 30;
/** A label of another app with an incident of three days. */
const [DIPS, RECOVERS] = [START + 33, START + 36];
const ALL = incidentsOf("-");

interface Page {
  readonly incidents?: readonly AndroidIncidentJson[];
  readonly nextPageToken?: string;
}

const test = serving
  .extend("traffic", { scope: "file", auto: true }, async ({ server, editor }) => {
    const of = { startDay: START, days: DAYS, labels: LABELS, messages: 200 };
    const apps = {
      falling: (label: string, day: number) => (label === "cart_reminder" && day >= FALLS ? 0.36 : 0.9),
      dipping: (label: string, day: number) =>
        label === "promo" && day >= DIPS && day < RECOVERS ? 0.3 : 0.9,
      steady: () => 0.9,
    };
    for (const [appId, delivered] of Object.entries(apps)) {
      for (const lines of faultyTraffic({ appId, delivered, ...of }))
        await importBatch(server, editor, lines);
    }
    for (const appId of Object.keys(apps)) {
      await entriesOnceThey(server, editor, appId, ({ length }) => length === DAYS * LABELS.length);
    }
  })
  .extend("get", ({ server, viewer }) => sender(server.messagingDataUrl, viewer))
  .extend("listed", ({ get }) => async (target: string): Promise<readonly AndroidIncidentJson[]> => {
    const { status, text } = await get(target);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return (JSON.parse(text) as Page).incidents ?? [];
  })
  .extend("command", ({ server, viewer }) => async (...flags: readonly string[]): Promise<string> => {
    const target = ["--server", server.messagingDataUrl, "--project", PROJECT.id, "--token", viewer];
    const { code, stdout, stderr } = await runInProcess(["incidents", ...target, ...flags]);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  });

const filtered = (target: string, filter: string): string => `${target}?filter=${encodeURIComponent(filter)}`;

describe("incidents in simulated traffic", () => {
  test("include an ongoing drop of a label", async ({ listed }) => {
    const [incident, ...others] = await listed(incidentsOf("falling"));
    expect(others).toEqual([]);
    expect(incident).toEqual({
      appId: "falling",
      analyticsLabel: "cart_reminder",
      kind: "OUTCOME_SHARE",
      outcome: "DELIVERED",
      startDate: civilDate(FALLS),
      usualPercent: expect.closeTo(90, -0.5),
      usualLowPercent: expect.any(Number),
      usualHighPercent: expect.any(Number),
      observedPercent: expect.closeTo(36, -0.5),
      excessMessageCount: expect.stringMatching(/^1[0-9]{3}$/),
      confidence: expect.any(Number),
      incidentId: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: `projects/${PROJECT.number}/androidApps/falling/incidents/${incident?.incidentId}`,
      state: "OPEN",
      etag: expect.any(String),
    });
    const { usualLowPercent, usualPercent, usualHighPercent, confidence } = incident as Record<
      string,
      number
    >;
    expect([usualLowPercent, usualPercent, usualHighPercent]).toEqual(
      [usualLowPercent, usualPercent, usualHighPercent].sort(),
    );
    expect(confidence).toBeGreaterThan(0.99);
  });

  test("include a label's drop of three days, with its last day", async ({ listed }) => {
    expect(await listed(incidentsOf("dipping"))).toMatchObject([
      { analyticsLabel: "promo", startDate: civilDate(DIPS), endDate: civilDate(RECOVERS - 1) },
    ]);
  });

  test.for(["steady", "unknown"])("do not exist for the app %s", async (app, { get }) => {
    const { status, text } = await get(incidentsOf(app));
    expect([status, text]).toEqual([200, "{}"]);
  });

  test("of all apps include each app's incidents, newest first", async ({ listed }) => {
    const [falling, dipping] = [await listed(incidentsOf("falling")), await listed(incidentsOf("dipping"))];
    expect(await listed(ALL)).toEqual([...dipping, ...falling]);
    expect(await listed(incidentsOf("-", PROJECT.number))).toEqual([...dipping, ...falling]);
  });

  test.for([
    ["NOT endDate:*", ["falling"]],
    ["endDate:*", ["dipping"]],
    ['analyticsLabel = "*o"', ["dipping"]],
    ["wholeApp = true", []],
    [`startDate >= ${formatDay(START)}`, ["dipping", "falling"]],
  ] as const)("can be selected by %s", async ([filter, apps], { listed }) => {
    expect((await listed(filtered(ALL, filter))).map(({ appId }) => appId)).toEqual(apps);
  });

  test("are divided into pages", async ({ get, listed }) => {
    const first = JSON.parse((await get(`${ALL}?pageSize=1`)).text) as Page;
    const target = `${ALL}?pageSize=1&pageToken=${first.nextPageToken}`;
    const second = JSON.parse((await get(target)).text) as Page;
    expect([...(first.incidents ?? []), ...(second.incidents ?? [])]).toEqual(await listed(ALL));
    expect(second.nextPageToken).toBeUndefined();
    const { status, text } = await get(
      `${incidentsOf("falling")}?pageSize=1&pageToken=${first.nextPageToken}`,
    );
    expect([status, errorOf(text).reason]).toEqual([400, "PAGE_TOKEN_MISMATCH"]);
  });

  test("can be requested in part", async ({ get }) => {
    const { text } = await get(`${ALL}?fields=incidents(appId,startDate/day)`);
    expect(JSON.parse(text)).toEqual({
      incidents: [
        { appId: "dipping", startDate: { day: civilDate(DIPS).day } },
        { appId: "falling", startDate: { day: civilDate(FALLS).day } },
      ],
    });
  });

  test("are the same over gRPC", async ({ messagingData, viewer, listed }) => {
    const parent = `projects/${PROJECT.id}/androidApps/-`;
    const { message } = await messagingData.unary<Page>(
      "ListAndroidIncidents",
      { parent },
      { token: viewer },
    );
    const expected = await listed(ALL);
    expect(message.incidents).toMatchObject(expected.map(({ appId, startDate }) => ({ appId, startDate })));
  });
});

describe("sums of usual dates", () => {
  const deliveredShare = async (
    get: (target: string) => Promise<{ readonly status: number; readonly text: string }>,
    query: string,
  ): Promise<number> => {
    const filter = encodeURIComponent(`date >= ${formatDay(DIPS - 7)} AND analyticsLabel = promo`);
    const target = `${listOf("dipping")}:aggregate?filter=${filter}${query}`;
    const { status, text } = await get(target);
    expect([status, text]).toEqual([200, expect.any(String)]);
    const [{ counts }] = JSON.parse(text).groups;
    return counts.delivered / counts.countMessagesAccepted;
  };

  test("leave out an incident's days", async ({ get }) => {
    expect(await deliveredShare(get, "")).toBeLessThan(0.82);
    const usual = await deliveredShare(get, "&usualDatesOnly=true");
    expect(usual).toBeGreaterThan(0.88);
    expect(usual).toBeLessThan(0.92);
  });
});

describe("incidents of a project", () => {
  test("can only be listed with a role on the project", async ({ server, get, messagingData }) => {
    const noRole = await server.token("no-role@example.com");
    expect((await get(ALL, { token: noRole })).status).toBe(403);
    expect((await get(incidentsOf("-", OTHER_PROJECT.id))).status).toBe(403);
    const parent = `projects/${PROJECT.id}/androidApps/-`;
    const failure = await failureOf(
      messagingData.unary("ListAndroidIncidents", { parent }, { token: noRole }),
    );
    expect(wireErrorOf(failure)).toMatchObject({ reason: "PERMISSION_MISSING" });
  });
});

describe("waybill incidents", () => {
  test("prints incidents as a table", async ({ command }) => {
    const [head, ...rows] = (await command("--app", "-")).trimEnd().split("\n");
    expect(head).toMatch(
      /^since +until +app +label +change +usual +band +observed +messages +confidence % +state +id +annotation$/,
    );
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 5))).toEqual([
      [formatDay(DIPS), formatDay(RECOVERS - 1), "dipping", "promo", "delivered fell"],
      [formatDay(FALLS), "ongoing", "falling", "cart_reminder", "delivered fell"],
    ]);
  });

  test("prints incidents as JSON like the API", async ({ command, listed }) => {
    const expected = await listed(ALL);
    expect(JSON.parse(await command("--app", "-", "--format", "json"))).toEqual(expected);
    expect(parsedLines(await command("--app", "-", "--format", "ndjson"))).toEqual(expected);
  });

  test.for([
    [["--ongoing"], ["falling"]],
    [["--from", formatDay(RECOVERS)], ["falling"]],
    [
      ["--from", formatDay(RECOVERS - 1)],
      ["dipping", "falling"],
    ],
    [["--to", formatDay(DIPS - 1)], ["falling"]],
    [["--label", "promo", "--label", ""], ["dipping"]],
    [["--filter", "endDate:* OR wholeApp = true"], ["dipping"]],
    [["--ongoing", "--filter", "endDate:*"], []],
  ] as const)("selects incidents by %j", async ([flags, apps], { command }) => {
    const lines = await command("--app", "-", "--format", "ndjson", ...flags);
    const picked = lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).appId]));
    expect(picked).toEqual(apps);
  });
});
