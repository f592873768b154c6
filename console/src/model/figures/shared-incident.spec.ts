import { expect, test } from "vitest";
import { type Incident, incidentOf } from "./incident.js";
import { sharedIncidentsOf, sharedText } from "./shared-incident.js";

const fall = (appId: string, analyticsLabel: string, day: number, excess: number): Incident =>
  incidentOf({
    appId,
    analyticsLabel,
    outcome: "DELIVERED",
    startDate: { year: 2026, month: 11, day },
    excessMessageCount: String(excess),
  });

test("sharedIncidentsOf joins a label's incidents of several apps that began on one day", () => {
  const shared = sharedIncidentsOf([
    fall("a", "promo", 9, 10),
    fall("b", "promo", 9, 30),
    fall("c", "promo", 9, 20),
    fall("a", "promo", 8, 5),
    fall("a", "chat", 9, 15),
  ]);
  expect(shared.map(({ worst, apps, excess }) => [worst.label, apps, excess])).toEqual([
    ["promo", ["b", "c", "a"], 60],
    ["chat", ["a"], 15],
    ["promo", ["a"], 5],
  ]);
});

test("sharedIncidentsOf does not join an incident of unlabelled messages with one of the whole app", () => {
  const unlabelled = fall("a", "", 9, 10);
  expect(sharedIncidentsOf([unlabelled, { ...unlabelled, app: "b", label: undefined }])).toHaveLength(2);
});

test("sharedText names the app, or the number of apps, and sums messages", () => {
  const nameOf = (app: string): string => `Shop ${app}`;
  const [promo, chat] = sharedIncidentsOf([
    fall("a", "promo", 9, 10),
    fall("b", "promo", 9, 30),
    fall("a", "chat", 9, 15),
  ]).map((shared) => sharedText(shared, nameOf));
  expect(promo).toEqual([
    "promo fell on Nov 9, 2026 and has not recovered",
    ", in 2 apps. About 40 more messages than usual were not delivered.",
  ]);
  expect(chat?.[1]).toBe(", in Shop a. About 15 more messages than usual were not delivered.");
});
