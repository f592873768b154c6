import fc from "fast-check";
import { expect, it } from "vitest";
import { type Publication, PublishedDays } from "./published-days.js";

const publication = fc.record({
  project: fc.constantFrom("1", "2"),
  day: fc.integer({ min: 1, max: 6 }),
  isEmpty: fc.boolean(),
});

it("PublishedDays returns the same results as a search through all publications", () => {
  fc.assert(
    fc.property(fc.array(fc.array(publication)), (batches) => {
      const copy = new PublishedDays();
      const latest = new Map<string, Publication>();
      let number = 0;
      for (const batch of batches) {
        const numbered = batch.map((each) => ({ ...each, number: ++number, version: 1_000 - number }));
        copy.add(numbered, number);
        for (const each of numbered) latest.set(`${each.project}/${each.day}`, each);
        expect(copy.last).toBe(number);
        for (const project of ["1", "2", "3"]) {
          for (let until = 0; until <= 7; until++) {
            const known = [...latest.values()].filter(
              (each) => each.project === project && each.day <= until,
            );
            const listed = known.filter(({ isEmpty }) => !isEmpty).sort((a, b) => b.day - a.day);
            expect(copy.upTo(project, until)).toEqual(listed.map(({ day, version }) => ({ day, version })));
            expect(copy.lastNumber(project, until)).toBe(Math.max(0, ...known.map((each) => each.number)));
          }
        }
      }
    }),
  );
});
