import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { PublishedVersions } from "../published-versions.js";

const DAY = 20_000;

/** Tests of versions, for any implementation. */
export function describePublishedVersions(name: string, open: () => Promise<PublishedVersions>): void {
  describe(name, () => {
    let versions: PublishedVersions;
    beforeEach(async () => {
      versions = await open();
    });

    it("changes the versions of a project that include a published day, and no others", async () => {
      const published = fc.array(fc.integer({ min: DAY, max: DAY + 5 }), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ project: fc.constantFrom("1", "2"), published }), { maxLength: 20 }),
          async (publications) => {
            const untils = Array.from({ length: 8 }, (_, i) => DAY - 1 + i);
            const all = () =>
              Promise.all(
                ["1", "2"].flatMap((project) =>
                  untils.map(async (until) => ({
                    project,
                    until,
                    version: await versions.version(project, until),
                  })),
                ),
              );
            let before = await all();
            for (const { project, published } of publications) {
              await versions.publish(project, published);
              const after = await all();
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

    it("never returns to an earlier version", async () => {
      const seen = new Set<string>();
      for (let i = 0; i < 100; i++) {
        seen.add(await versions.version("1", DAY));
        await versions.publish("1", [DAY - (i % 7)]);
      }
      expect(seen.size).toBe(100);
    });
  });
}
