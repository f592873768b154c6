import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { PublishedVersions } from "./published-versions.js";

const DAY = 20_000;

let versions: PublishedVersions;
beforeEach(() => {
  versions = new PublishedVersions();
});

it("changes a project's versions that include the published day, and no others", () => {
  const published = fc.array(fc.integer({ min: DAY, max: DAY + 5 }), { maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ project: fc.constantFrom("1", "2"), published }), { maxLength: 20 }),
      (publications) => {
        const untils = Array.from({ length: 8 }, (_, i) => DAY - 1 + i);
        const all = () =>
          ["1", "2"].flatMap((project) =>
            untils.map((until) => ({ project, until, version: versions.version(project, until) })),
          );
        let before = all();
        for (const { project, published } of publications) {
          versions.publish(project, published);
          const after = all();
          for (const [index, { project: other, until, version }] of after.entries()) {
            const isNew = other === project && published.some((day) => day <= until);
            expect(version !== before[index]?.version).toBe(isNew);
          }
          before = after;
        }
      },
    ),
  );
});

it("never returns to an earlier version", () => {
  const seen = new Set<string>();
  for (let i = 0; i < 100; i++) {
    seen.add(versions.version("1", DAY));
    versions.publish("1", [DAY - (i % 7)]);
  }
  expect(seen.size).toBe(100);
});
