import { expect, it } from "vitest";
import { MAX_WATCHED_APPS } from "../../limits/limits.js";
import { OngoingIncidents } from "./ongoing-incidents.js";

it("has a number for each app with ongoing incidents, and for the others of each judged project", () => {
  const ongoing = new OngoingIncidents();
  expect(ongoing.byApp()).toEqual([]);
  ongoing.set("1", new Map(Object.entries({ a: 1, b: 3, c: 0 })));
  ongoing.set("2", new Map());
  expect(ongoing.byApp()).toEqual([
    { project: "1", app: "b", incidents: 3 },
    { project: "1", app: "a", incidents: 1 },
    { project: "1", app: "", incidents: 0 },
    { project: "2", app: "", incidents: 0 },
  ]);
  ongoing.set("1", new Map());
  expect(ongoing.byApp().map(({ incidents }) => incidents)).toEqual([0, 0]);
});

it("sums up the apps beyond a number of them, those with the fewest incidents", () => {
  const ongoing = new OngoingIncidents();
  const apps = Array.from({ length: MAX_WATCHED_APPS }, (_, i) => [`app-${i}`, 2] as const);
  ongoing.set("1", new Map([["small", 1], ...apps]));
  ongoing.set("2", new Map([["large", 9]]));
  const numbers = ongoing.byApp();
  expect(numbers).toHaveLength(MAX_WATCHED_APPS + 2);
  expect(numbers[0]).toEqual({ project: "2", app: "large", incidents: 9 });
  expect(numbers.slice(-2)).toEqual([
    { project: "1", app: "", incidents: 3 },
    { project: "2", app: "", incidents: 0 },
  ]);
});
