import { describe, expect, it } from "vitest";
import { startOfDay } from "../../../../model/day.js";
import type { Store } from "../../../store.js";
import { OTHER_PROJECT, PROJECT } from "../../test-events.js";
import { DAY, mirroredEntries, mirroredRow } from "./mirrored-rows.js";
import { readTexts, responseOf } from "./responses-conformance.js";
import { readVersions, versionOf } from "./versions-conformance.js";

const DAYS = [0, 1, 2, 3].map((offset) => DAY - offset);

export function describeMirrorRetention(storeOf: () => Store): void {
  describe("expired entries of a mirror", () => {
    const fill = async (project: string): Promise<void> => {
      for (const day of DAYS) {
        await storeOf().publish(project, [{ day, entries: [mirroredEntries([mirroredRow({ day })])] }]);
        await storeOf().keepVersions(project, [versionOf({ day })]);
        // The last millisecond before the day and the first one of it, with the same body.
        for (const fetchedAt of [startOfDay(day) - 1, startOfDay(day)]) {
          await storeOf().storeResponse(project, responseOf({ fetchedAt, text: `${day}` }));
        }
      }
    };
    const left = async (project: string) => ({
      versions: (await readVersions(storeOf(), { project })).map(({ day }) => day),
      responses: (await readTexts(storeOf(), { project })).map(({ fetchedAt, text }) => [fetchedAt, text]),
    });
    const responsesOf = (days: readonly number[]) =>
      days.flatMap((day) => [
        [startOfDay(day), `${day}`],
        [startOfDay(day) - 1, `${day}`],
      ]);

    it("are removed with their versions, and with responses from before their last day", async () => {
      await fill(PROJECT);
      await fill(OTHER_PROJECT);
      await storeOf().seal(DAY - 1);
      const expired = await storeOf().expiredDays({ project: PROJECT, entriesUntil: DAY - 2, limit: 9 });
      expect(expired).toEqual([DAY - 3, DAY - 2]);
      expect(await storeOf().removeExpired(PROJECT, expired, DAY - 2)).toBe(2);
      expect(await left(PROJECT)).toEqual({
        versions: [DAY, DAY - 1],
        responses: [...responsesOf([DAY, DAY - 1]), [startOfDay(DAY - 2), `${DAY - 2}`]],
      });
      expect(await left(OTHER_PROJECT)).toEqual({ versions: DAYS, responses: responsesOf(DAYS) });
    });

    it("keep their versions and responses until they are removed or their days are sealed", async () => {
      await fill(PROJECT);
      await storeOf().seal(DAY - 3);
      await storeOf().removeExpired(PROJECT, [DAY - 3]);
      await storeOf().removeExpired(PROJECT, [DAY - 2], DAY);
      expect(await left(PROJECT)).toEqual({ versions: DAYS, responses: responsesOf(DAYS) });
    });

    it("may be stored again", async () => {
      await fill(PROJECT);
      await storeOf().seal(DAY);
      await storeOf().removeExpired(PROJECT, DAYS, DAY);
      await fill(PROJECT);
      expect(await left(PROJECT)).toEqual({ versions: DAYS, responses: responsesOf(DAYS) });
    });
  });
}
