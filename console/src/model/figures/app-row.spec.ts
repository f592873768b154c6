import { describe, expect, it, test } from "vitest";
import { daysIn } from "../days/day-range.js";
import { type AppRow, appRowsOf, byTrouble, byVisit, dayChunks, daysByApp, trendRange } from "./app-row.js";
import { fall } from "./testing/fall.js";

const sum = (app: string, accepted: number, delivered: number) => ({
  app,
  counts: { countMessagesAccepted: accepted, delivered },
});

const incident = (app: string, excess: number) => fall({ app, excess });

describe("appRowsOf", () => {
  it("returns each app's figures, and the change in delivered share", () => {
    const now = [sum("a", 200, 180), sum("b", 10, 5)];
    const before = [sum("a", 100, 95), sum("b", 99, 99)];
    const ongoing = [incident("b", 7), incident("b", 5)];
    const names = new Map([["a", "Shop"]]);
    expect(appRowsOf(["b", "a", "c"], now, before, ongoing, names, [sum("a", 3, 1)])).toEqual([
      {
        app: "b",
        name: "b",
        hasLabels: false,
        accepted: 10,
        delivered: 50,
        change: -50,
        isUncertain: true,
        ongoing: 2,
        excess: 12,
      },
      {
        app: "a",
        name: "Shop",
        hasLabels: true,
        accepted: 200,
        delivered: 90,
        change: -5,
        isUncertain: false,
        ongoing: 0,
        excess: 0,
      },
      {
        app: "c",
        name: "c",
        hasLabels: false,
        accepted: 0,
        delivered: undefined,
        change: undefined,
        isUncertain: true,
        ongoing: 0,
        excess: 0,
      },
    ]);
  });

  it("does not wait for incidents", () => {
    expect(appRowsOf(["a"], [sum("a", 200, 180)], [], undefined)).toEqual([
      {
        app: "a",
        name: "a",
        hasLabels: false,
        accepted: 200,
        delivered: 90,
        change: undefined,
        isUncertain: true,
        ongoing: undefined,
        excess: 0,
      },
    ]);
  });
});

const row = (app: string, over: Partial<AppRow> = {}): AppRow => ({
  app,
  name: app,
  hasLabels: false,
  accepted: 0,
  delivered: undefined,
  change: undefined,
  isUncertain: false,
  ongoing: 0,
  excess: 0,
  target: undefined,
  ...over,
});

const appsOf = (rows: readonly AppRow[]): string => rows.map(({ app }) => app).join(" ");

it("byVisit sorts by last visit, then by number of messages", () => {
  const rows = [row("a"), row("b", { accepted: 5 }), row("c", { accepted: 9 }), row("d", { accepted: 1 })];
  expect(appsOf(byVisit(rows, ["d", "gone", "b"]))).toBe("d b c a");
  expect(appsOf(byVisit(rows, []))).toBe("c b d a");
});

it("byTrouble sorts by excess messages, then by fall of the delivered share", () => {
  const rows = [
    row("new"),
    row("rose", { change: 2 }),
    row("fell", { change: -3 }),
    row("noise", { change: -30, isUncertain: true }),
    row("small", { excess: 4 }),
    row("large", { excess: 90, change: 1 }),
  ];
  expect(appsOf(byTrouble(rows))).toBe("large small fell rose new noise");
});

test.each([
  [
    { first: 100, last: 106 },
    { first: 100, last: 106 },
  ],
  [
    { first: 100, last: 127 },
    { first: 100, last: 127 },
  ],
  [
    { first: 100, last: 464 },
    { first: 437, last: 464 },
  ],
])("trendRange of %j is %j", (range, expected) => {
  expect(trendRange(range)).toEqual(expected);
});

test.each([
  { apps: 0, days: 28, requests: 1 },
  { apps: 3, days: 28, requests: 1 },
  { apps: 300, days: 28, requests: 4 },
  { apps: 1_000, days: 28, requests: 14 },
  { apps: 5_000, days: 3, requests: 3 },
])("dayChunks splits $days days for $apps apps into $requests requests", ({ apps, days, requests }) => {
  const range = { first: 1_000, last: 1_000 + days - 1 };
  const chunks = dayChunks(range, apps);
  expect(chunks).toHaveLength(requests);
  expect(chunks.reduce((sum, chunk) => sum + daysIn(chunk), 0)).toBe(days);
  expect([chunks[0]?.first, chunks.at(-1)?.last]).toEqual([range.first, range.last]);
});

test("daysByApp groups days by app, in order", () => {
  const counts = { delivered: 1 };
  const days = daysByApp([
    { app: "a", day: 2, counts },
    { app: "b", day: 2, counts },
    { app: "a", day: 1, counts },
  ]);
  expect([...days]).toEqual([
    ["a", [1, 2].map((day) => ({ day, counts }))],
    ["b", [{ day: 2, counts }]],
  ]);
});
