import { expect, it } from "vitest";
import { civilDate, dayOfCivil } from "../model/day.js";
import { type AppDay, type ReportData, weeklyReport } from "./weekly-report.js";

const MONDAY = dayOfCivil(2026, 11, 16);
const week = (appId: string, first: number, accepted: number, delivered: number): AppDay[] =>
  Array.from({ length: 7 }, (_, index) => ({ appId, day: first + index, accepted, delivered }));
const DATA: ReportData = {
  project: "shop_demo",
  monday: MONDAY,
  days: [
    ...week("steady", MONDAY - 7, 1_000, 850),
    ...week("steady", MONDAY, 1_000, 851),
    ...week("worse", MONDAY - 7, 1_000, 850),
    ...week("worse", MONDAY, 1_000, 600),
    ...week("few", MONDAY - 7, 10, 9),
    ...week("few", MONDAY, 10, 1),
    ...week("new", MONDAY, 2_000, 1_000),
  ],
  incidents: [],
  missedTargets: [],
  annotations: [],
};

it("weeklyReport lists apps that are worse first, and rates no change by chance or from few messages", () => {
  const rows = weeklyReport(DATA)
    .split("\n")
    .filter((line) => /^\| (steady|worse|few|new)/.test(line));
  expect(rows).toEqual([
    "| worse | 7,000 | 7,000 | 60.0 % | −25.0 points, worse |",
    "| new | 14,000 | 0 | 50.0 % | no earlier messages |",
    "| steady | 7,000 | 7,000 | 85.1 % | +0.1 points |",
    "| few | 70 | 70 | 10.0 % | −80.0 points |",
  ]);
});

it.each([
  [undefined, ""],
  [0, "Sums are computed from upstream percentages, which may be rounded."],
  [
    1_200,
    "Sums are computed from upstream percentages, which may be rounded. 1,200 entries without figures are excluded.",
  ],
])("weeklyReport states how sums of mirrored entries are computed: %s", (excludedEntries, expected) => {
  const text = weeklyReport({ ...DATA, excludedEntries });
  if (expected === "") expect(text).not.toContain("upstream");
  else expect(text).toContain(`\n\n${expected}\n\n## Apps\n`);
});

it("weeklyReport lists a limited number of items, and counts the others", () => {
  const missedTargets = ["a", "b", "c"].map((appId) => ({
    appId,
    label: undefined,
    delivered: 85,
    missed: [MONDAY],
  }));
  const text = weeklyReport({ ...DATA, missedTargets }, 2);
  expect(text.match(/^\| (steady|worse|few|new) /gm)).toEqual(["| worse ", "| new "]);
  expect(text).toContain("\n\nApps not listed: 2.\n\n");
  expect(text).toMatch(/^\* b, whole app.*\n\* Not listed: 1\.$/m);
});

it("weeklyReport names incidents on these days, missed targets and annotations, and escapes their texts", () => {
  const text = weeklyReport({
    ...DATA,
    incidents: [
      {
        appId: "a_b",
        analyticsLabel: "promo",
        startDate: civilDate(MONDAY + 1),
        outcome: "DELIVERED",
        observedPercent: 36.21,
        usualPercent: 90.4,
      },
      {
        appId: "ended",
        wholeApp: true,
        startDate: civilDate(MONDAY - 5),
        endDate: civilDate(MONDAY - 4),
        outcome: "DELIVERED",
      },
      {
        appId: "silent",
        wholeApp: true,
        kind: "SILENCE",
        startDate: civilDate(MONDAY - 2),
        endDate: civilDate(MONDAY),
        usualMessageCount: "1200",
      },
    ],
    missedTargets: [{ appId: "a_b", label: "", delivered: 85, missed: [MONDAY, MONDAY + 2] }],
    annotations: [{ date: civilDate(MONDAY), text: "<b>4.2|</b>", appId: "a_b" }],
  });
  expect(text).toContain("# Delivery of shop\\_demo, 2026-11-16 to 2026-11-22");
  expect(text).toContain(
    "* 2026-11-17, ongoing: a\\_b, label promo: delivered fell to 36.2 %, usually 90.4 %\n",
  );
  expect(text).toContain(
    "* 2026-11-14, to 2026-11-16: silent, whole app: silence: 0 messages, usually 1,200",
  );
  expect(text).not.toContain("ended");
  expect(text).toContain("* a\\_b, label (no label): below 85.0 % on 2026-11-16, 2026-11-18");
  expect(text).toContain("* 2026-11-16: \\<b\\>4.2\\|\\</b\\> (a\\_b)");
});

it("weeklyReport reports a week without messages", () => {
  const text = weeklyReport({ ...DATA, days: [] });
  expect(text).toContain("0 accepted messages, – delivered.");
  for (const none of ["No messages.", "No incidents.", "No target was missed.", "No annotations."])
    expect(text).toContain(none);
});
