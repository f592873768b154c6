import { beforeEach, expect, it } from "vitest";
import type { WeeklyReport } from "../gen/waybill/messagingdata/v1beta1/weekly_report_pb.js";
import { ProjectDays } from "../incidents/list/project-days.js";
import { identifiedIncident } from "../incidents/testing/app-incident.js";
import { type Day, formatDay, mondayOf, WEEK } from "../model/day.js";
import type { StaleDayQuery } from "../model/due-days.js";
import { COUNTS, type GroupColumns, type SumQuery } from "../store/delivery-data-store.js";
import { type EvaluatedProject, sendWeeklyReport, type WeeklyReportParts } from "./weekly-reports.js";

const PROJECT = { id: "shop", number: "1" };
const MONDAY = mondayOf(20_000);
const SUNDAY = MONDAY + WEEK - 1;
const { signal } = new AbortController();

/** Accepted messages by day, of one app. */
let messages: Map<Day, number>;
let isMirrored: boolean;
let stale: readonly Day[];
let sent: { readonly webhook: string; readonly monday: Day; readonly report: WeeklyReport }[];

beforeEach(() => {
  messages = new Map(Array.from({ length: 8 * WEEK }, (_, index) => [SUNDAY - index, 100]));
  [stale, sent, isMirrored] = [[], [], false];
});

/** Sums by day or by app, of the queried days. */
function sumsOf({ until, filter, groupBy, originals }: SumQuery): readonly GroupColumns[] {
  const first = filter?.kind === "day" ? filter.day : Number.NEGATIVE_INFINITY;
  const found = [...messages].filter(([day]) => day >= first && day <= until).sort(([a], [b]) => b - a);
  const counts = COUNTS.map((name) =>
    Float64Array.from(found, ([, count]) => (name === "delivered" ? count / 2 : count)),
  );
  const isByDay = groupBy.has("day");
  const dimension = isByDay ? { days: found.map(([day]) => day) } : { appIds: found.map(() => "app") };
  const withoutCounts = originals
    ? Float64Array.from(found, ([, count]) => (count === 0 ? 3 : 1))
    : undefined;
  return [{ length: found.length, ...dimension, counts, ...(withoutCounts && { withoutCounts }) }];
}

const store = {
  version: async () => JSON.stringify([...messages]),
  sumEntries: async (query: SumQuery) => sumsOf(query),
  staleDays: async ({ before = Number.POSITIVE_INFINITY, limit }: StaleDayQuery) =>
    stale.filter((day) => day < before).slice(0, limit),
};

const webhookOf = (webhook: string, isWanted = true) => ({
  lacksReport: async (_project: string, monday: Day) =>
    isWanted && !sent.some((each) => each.webhook === webhook && each.monday === monday),
  reported: async (_project: string, monday: Day, report: WeeklyReport) => {
    sent.push({ webhook, monday, report });
  },
});

/** Evaluates the project, and returns all reports sent so far. */
async function evaluate(
  until: Day,
  {
    webhooks = [webhookOf("team")],
    incidents = [],
    isComplete = true,
  }: Partial<Pick<WeeklyReportParts, "webhooks"> & Pick<EvaluatedProject, "incidents" | "isComplete">> = {},
): Promise<readonly string[]> {
  const parts = {
    webhooks,
    store,
    days: new ProjectDays(store),
    isMirrored: () => isMirrored,
    targets: { list: async () => [] },
    annotations: { list: async () => [] },
  };
  await sendWeeklyReport(parts, { project: PROJECT, until, isComplete, incidents }, signal);
  return sent.map(({ webhook, monday }) => weekOf(monday, webhook));
}

const weekOf = (monday: Day, webhook = "team"): string => `${webhook} ${formatDay(monday)}`;

it("sendWeeklyReport sends a week when its Sunday is listed, once to each webhook that wants it", async () => {
  const webhooks = [webhookOf("team"), webhookOf("other"), webhookOf("on-call", false)];
  expect(await evaluate(SUNDAY, { webhooks })).toEqual([weekOf(MONDAY), weekOf(MONDAY, "other")]);
  for (let until = SUNDAY; until < SUNDAY + WEEK; until++) {
    messages.set(until, 100);
    expect(await evaluate(until, { webhooks })).toHaveLength(2);
  }
  messages.set(SUNDAY + WEEK, 100);
  expect((await evaluate(SUNDAY + WEEK, { webhooks })).slice(2)).toEqual([
    weekOf(MONDAY + WEEK),
    weekOf(MONDAY + WEEK, "other"),
  ]);
});

it("sendWeeklyReport reports totals and incidents of the week, in America/Los_Angeles", async () => {
  const incidents = [identifiedIncident({ appId: "app", label: "promo", startDay: SUNDAY - 1 })];
  await evaluate(SUNDAY, { incidents });
  const [{ report } = { report: undefined }] = sent;
  expect(report).toMatchObject({ acceptedMessageCount: 700n, deliveredPercent: 50 });
  expect(report?.markdown).toContain(`# Delivery of shop, ${formatDay(MONDAY)} to ${formatDay(SUNDAY)}`);
  expect(report?.markdown).toContain(`* ${formatDay(SUNDAY - 1)}, ongoing: app, label promo`);
});

it("sendWeeklyReport states that figures of a mirrored project come from percentages, and lack entries", async () => {
  isMirrored = true;
  messages.set(MONDAY, 0);
  await evaluate(SUNDAY);
  const [{ report } = { report: undefined }] = sent;
  expect(report).toMatchObject({ acceptedMessageCount: 600n, fromPercentages: true });
  expect(report?.markdown).toContain("9 entries without figures are excluded.");
});

it("sendWeeklyReport waits for the next day while a Sunday has fewer than half of its usual messages", async () => {
  messages.set(SUNDAY, 40);
  expect(await evaluate(SUNDAY)).toEqual([]);
  expect(await evaluate(SUNDAY + 1)).toEqual([weekOf(MONDAY)]);
});

it("sendWeeklyReport waits while a listed Sunday has late events", async () => {
  stale = [SUNDAY];
  expect(await evaluate(SUNDAY)).toEqual([]);
  stale = [];
  expect(await evaluate(SUNDAY)).toEqual([weekOf(MONDAY)]);
});

it("sendWeeklyReport waits for another evaluation if the incidents lack events of a listed Sunday", async () => {
  expect(await evaluate(SUNDAY, { isComplete: false })).toEqual([]);
  expect(await evaluate(SUNDAY)).toEqual([weekOf(MONDAY)]);
});

it("sendWeeklyReport sends a week after its Sunday, although the last day has late events", async () => {
  expect(await evaluate(SUNDAY + 1, { isComplete: false })).toEqual([weekOf(MONDAY)]);
});

it("sendWeeklyReport waits for the first rollup of each day, and not for late events of earlier days", async () => {
  const day = SUNDAY - 3;
  messages.delete(day);
  stale = [day];
  expect(await evaluate(SUNDAY + 2)).toEqual([]);
  messages.set(day, 100);
  expect(await evaluate(SUNDAY + 2)).toEqual([weekOf(MONDAY)]);
});

it("sendWeeklyReport sends nothing about two weeks without messages", async () => {
  messages = new Map();
  expect(await evaluate(SUNDAY + 1)).toEqual([]);
});
