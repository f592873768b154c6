import { expect, it } from "vitest";
import { MAX_MEASURED_APPS } from "../../limits/limits.js";
import { LastDayFigures } from "./last-day-figures.js";

it("has the figures of the last reading of each project", () => {
  const figures = new LastDayFigures();
  expect([figures.byApp, [...figures.days]]).toEqual([[], []]);
  figures.set("1", 20_000, [{ project: "1", app: "gone", accepted: 9, delivered: 9 }]);
  figures.set("2", 20_000, [{ project: "2", app: "b", accepted: 2, delivered: 1 }]);
  figures.set("1", 20_001, [{ project: "1", app: "a", accepted: 3, delivered: 2 }]);
  expect(figures.byApp).toEqual([
    { project: "1", app: "a", accepted: 3, delivered: 2 },
    { project: "2", app: "b", accepted: 2, delivered: 1 },
  ]);
  expect([...figures.days]).toEqual([
    ["1", 20_001],
    ["2", 20_000],
  ]);
});

it("tells the largest apps of all projects apart, and gives small ones back their place", () => {
  const figures = new LastDayFigures();
  const small = { project: "2", app: "small", accepted: 1, delivered: 1 };
  figures.set("2", 20_000, [small, { project: "2", app: "", accepted: 4, delivered: 2 }]);
  const others = () => figures.byApp.filter(({ app }) => app === "");
  figures.set(
    "1",
    20_000,
    Array.from({ length: MAX_MEASURED_APPS }, (_, i) => ({
      project: "1",
      app: `app-${i}`,
      accepted: 2,
      delivered: 1,
    })),
  );
  expect(figures.byApp).not.toContainEqual(small);
  expect(others()).toEqual([{ project: "2", app: "", accepted: 5, delivered: 3 }]);
  figures.set("1", 20_000, []);
  expect(figures.byApp).toContainEqual(small);
  expect(others()).toEqual([{ project: "2", app: "", accepted: 4, delivered: 2 }]);
});
