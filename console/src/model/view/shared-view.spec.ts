import { expect, test } from "vitest";
import { sharedViewOf } from "./shared-view.js";

const JSON_VIEW = {
  displayName: "Wiki",
  appId: "app",
  firstDate: "2026-03-05",
  lastDate: "2026-03-06",
  linkExpireTime: "2026-04-01T00:00:00.000Z",
  incidents: [],
};
const date = { year: 2026, month: 3, day: 6 };

test("sharedViewOf omits days on which all mirrored entries lack figures, and counts such entries", () => {
  const groups = [
    { date, counts: { countMessagesAccepted: "4" }, fromPercentages: true, excludedEntryCount: "1" },
    { date: { ...date, day: 5 }, counts: {}, fromPercentages: true, excludedEntryCount: "2" },
  ];
  const { rows, excludedEntries } = sharedViewOf({ ...JSON_VIEW, deliveryData: { groups } });
  expect(rows.map(({ counts }) => counts)).toEqual([{ countMessagesAccepted: 4 }]);
  expect(excludedEntries).toBe(3);
});

test("sharedViewOf counts no excluded entries of projects with events", () => {
  const groups = [{ date, counts: { countMessagesAccepted: "4" } }];
  const { rows, excludedEntries } = sharedViewOf({ ...JSON_VIEW, deliveryData: { groups } });
  expect([rows.length, excludedEntries]).toEqual([1, undefined]);
});
