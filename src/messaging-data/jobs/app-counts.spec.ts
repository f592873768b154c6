import { expect, it } from "vitest";
import { MAX_WATCHED_APPS } from "../../limits/data-limits.js";
import { AppCounts } from "./app-counts.js";

it("AppCounts has a number for each app above 0, and one for all other apps of each project", () => {
  const counts = new AppCounts();
  expect(counts.byApp()).toEqual([]);
  counts.set("1", new Map(Object.entries({ a: 1, b: 3, c: 0 })));
  counts.set("2", new Map());
  expect(counts.byApp()).toEqual([
    { project: "1", app: "b", count: 3 },
    { project: "1", app: "a", count: 1 },
    { project: "1", app: "", count: 0 },
    { project: "2", app: "", count: 0 },
  ]);
  counts.set("1", new Map());
  expect(counts.byApp().map(({ count }) => count)).toEqual([0, 0]);
});

it("AppCounts adds up the apps with the lowest numbers if there are more apps than its limit", () => {
  const counts = new AppCounts();
  const apps = Array.from({ length: MAX_WATCHED_APPS }, (_, i) => [`app-${i}`, 2] as const);
  counts.set("1", new Map([["small", 1], ...apps]));
  counts.set("2", new Map([["large", 9]]));
  const numbers = counts.byApp();
  expect(numbers).toHaveLength(MAX_WATCHED_APPS + 2);
  expect(numbers[0]).toEqual({ project: "2", app: "large", count: 9 });
  expect(numbers.slice(-2)).toEqual([
    { project: "1", app: "", count: 3 },
    { project: "2", app: "", count: 0 },
  ]);
});
