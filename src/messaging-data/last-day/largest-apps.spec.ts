import { expect, it } from "vitest";
import { MAX_MEASURED_APPS } from "../../limits/limits.js";
import { type AppFigures, LargestApps } from "./largest-apps.js";

const of = (project: string, app: string, accepted: number, delivered = 0): AppFigures => ({
  project,
  app,
  accepted,
  delivered,
});

function largestOf(figures: Iterable<AppFigures>): readonly AppFigures[] {
  const largest = new LargestApps();
  for (const app of figures) largest.add(app);
  return largest.all();
}

it("keeps few apps as they are, the largest first, and the sums of others of each project last", () => {
  expect(
    largestOf([
      of("1", "", 7, 6),
      of("1", "a", 1, 1),
      of("2", "a", 5, 4),
      of("2", "", 0),
      of("1", "", 2, 1),
      of("1", "b", 3, 2),
    ]),
  ).toEqual([of("2", "a", 5, 4), of("1", "b", 3, 2), of("1", "a", 1, 1), of("1", "", 9, 7), of("2", "", 0)]);
});

it.each([1, 2, 3.5])(
  "keeps the largest of %d times as many apps as it may, and sums up the others",
  (times) => {
    const count = times * MAX_MEASURED_APPS;
    // In no order: 11 and the number of apps have no common divisor.
    const apps = Array.from({ length: count }, (_, i) => (i * 11) % count).map((size) =>
      of(String(size % 2), `app-${size}`, size, size / 2),
    );
    const figures = largestOf(apps);
    const kept = figures.filter(({ app }) => app !== "");
    expect(kept.map(({ accepted }) => accepted)).toEqual(
      Array.from({ length: MAX_MEASURED_APPS }, (_, i) => count - 1 - i),
    );
    expect(figures.length - kept.length).toBe(times === 1 ? 0 : 2);
    for (const project of ["0", "1"]) {
      for (const column of ["accepted", "delivered"] as const) {
        const sum = (all: readonly AppFigures[]): number =>
          all.filter((app) => app.project === project).reduce((total, app) => total + app[column], 0);
        expect(sum(figures)).toBe(sum(apps));
      }
    }
  },
);
