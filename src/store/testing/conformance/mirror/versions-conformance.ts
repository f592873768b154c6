import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byBytes } from "../../../../model/collections.js";
import { type Day, LAST_DAY } from "../../../../model/day.js";
import type { EntryPosition } from "../../../delivery-data-store.js";
import type { EntryVersion, VersionQuery } from "../../../mirror-store.js";
import type { Store } from "../../../store.js";
import { OTHER_PROJECT, PROJECT } from "../../test-events.js";
import {
  DAY,
  inListOrder,
  type MirroredRow,
  mirroredEntries,
  mirroredRow,
  mirroredRows,
  TIME,
} from "./mirrored-rows.js";

export function versionOf(over: Partial<EntryVersion> = {}): EntryVersion {
  const { day, appId, label, fetchedAt, original } = mirroredRow(over);
  return { day, appId, label, fetchedAt, original };
}

const WHOLE_LIST = { from: { day: LAST_DAY, appId: "", label: "" }, to: { day: 0, appId: "", label: "" } };

/** Reads versions in list order. */
export const readVersions = async (
  store: Store,
  query: Partial<VersionQuery> = {},
): Promise<EntryVersion[]> =>
  [...(await store.readVersions({ project: PROJECT, ...WHOLE_LIST, asOf: TIME, ...query }))].sort(
    inListOrder,
  );

/** A mirror round over a few positions. A response changes the JSON of some of them. */
interface Round {
  readonly given: readonly {
    readonly offset: number;
    readonly appId: string;
    readonly label: string;
    readonly text: string;
  }[];
  /** The step after which the round is killed and starts again. 3 is the last step. */
  readonly killedAfter: number;
}

const APPS = ["a", "b", "😀"] as const;
const LABELS = ["", "x", "é"] as const;

const rounds: fc.Arbitrary<readonly Round[]> = fc.array(
  fc.record({
    given: fc.uniqueArray(
      fc.record({
        offset: fc.constantFrom(0, 1, 2),
        appId: fc.constantFrom(...APPS),
        label: fc.constantFrom(...LABELS),
        text: fc.constantFrom("1", "2", "3"),
      }),
      { maxLength: 8, selector: ({ offset, appId, label }) => `${offset}/${appId}/${label}` },
    ),
    killedAfter: fc.constantFrom(1, 2, 3, 3, 3),
  }),
  { minLength: 1, maxLength: 5 },
);

const keyOf = ({
  day,
  appId,
  label,
}: {
  readonly day: Day;
  readonly appId: string;
  readonly label: string;
}): string => `${day}/${appId}/${label}`;

const readAll = async (store: Store, project: string): Promise<MirroredRow[]> =>
  mirroredRows(await store.readEntries({ project, until: LAST_DAY, limit: 10_000, originals: true }));

/** Updates entries to a round's JSON, like a mirror. Some steps may be repeated. */
async function mirror(
  store: Store,
  project: string,
  { given }: Round,
  at: number,
  steps: number,
): Promise<void> {
  const before = new Map((await readAll(store, project)).map((row) => [keyOf(row), row]));
  const rows = given.map(({ offset, text, ...place }) =>
    mirroredRow({ ...place, day: DAY - offset, original: text, fetchedAt: at }),
  );
  const changed = rows.filter((row) => before.get(keyOf(row))?.original !== row.original);
  const replaced = changed.flatMap((row) => before.get(keyOf(row)) ?? []);
  await store.keepVersions(project, replaced.map(versionOf));
  if (steps === 1) return;
  const after = new Map([...before, ...changed.map((row) => [keyOf(row), row] as const)]);
  for (const [index, day] of [...new Set(changed.map(({ day }) => day))].entries()) {
    if (steps === 2 && index > 0) return;
    const ofDay = [...after.values()].filter((row) => row.day === day);
    await store.publish(project, [{ day, entries: [mirroredEntries(ofDay)] }]);
  }
}

/** Lists entries as of a moment, like the service. */
async function listAsOf(store: Store, project: string, asOf: number): Promise<string[]> {
  const rows = await readAll(store, project);
  const [from, to] = [rows[0], rows.at(-1)];
  if (from === undefined || to === undefined) return [];
  const versions = await readVersions(store, { project, from, to, asOf });
  const versionAt = new Map(versions.map((version) => [keyOf(version), version]));
  return rows.flatMap((row) => {
    const version = row.fetchedAt <= asOf ? row : versionAt.get(keyOf(row));
    return version === undefined ? [] : [`${keyOf(row)}: ${version.original}`];
  });
}

export function describeVersions(
  storeOf: () => Store,
  reopen: () => Promise<void>,
  runs: (all: number) => number,
): void {
  describe("entry versions", () => {
    it("reproduce the entries as of any moment, in any history of rounds that are killed and restarted", async () => {
      let project = 5_000_000;
      await fc.assert(
        fc.asyncProperty(rounds, async (rounds) => {
          const number = String(project++);
          const texts = new Map<string, string>();
          const expected = [];
          for (const [index, round] of rounds.entries()) {
            const at = TIME + 10 * index;
            if (round.killedAfter < 3) await mirror(storeOf(), number, round, at, round.killedAfter);
            await mirror(storeOf(), number, round, at + 1, 3);
            for (const { offset, text, ...place } of round.given) {
              texts.set(keyOf({ day: DAY - offset, ...place }), text);
            }
            expected.push([at + 5, [...texts].map(([key, text]) => `${key}: ${text}`).sort()] as const);
          }
          for (const [asOf, entries] of [[TIME - 5, []] as const, ...expected]) {
            expect((await listAsOf(storeOf(), number, asOf)).sort()).toEqual(entries);
          }
        }),
        { numRuns: runs(25) },
      );
    });

    it("are read for any range of positions in list order, for all apps or one", async () => {
      const versions = [DAY, DAY - 1, DAY - 2].flatMap((day) =>
        APPS.flatMap((appId) => LABELS.map((label) => versionOf({ day, appId, label }))),
      );
      await storeOf().keepVersions(PROJECT, versions);
      await storeOf().keepVersions(OTHER_PROJECT, [
        versionOf({ appId: "a", original: "of another project" }),
      ]);
      expect(await readVersions(storeOf())).toEqual(versions);
      const position = fc.record({
        day: fc.integer({ min: DAY - 3, max: DAY + 1 }),
        appId: fc.constantFrom(...APPS, "aa"),
        label: fc.constantFrom(...LABELS, "xx"),
      });
      await fc.assert(
        fc.asyncProperty(position, position, fc.constantFrom(undefined, ...APPS), async (a, b, appId) => {
          const [from = a, to = b] = [a, b]
            .map((place) => ({ ...place, appId: appId ?? place.appId }))
            .sort(inListOrder);
          const positionOf = (place: typeof a): EntryPosition =>
            appId === undefined ? place : { day: place.day, label: place.label };
          const query = { ...(appId !== undefined && { appId }), from: positionOf(from), to: positionOf(to) };
          expect(await readVersions(storeOf(), query)).toEqual(
            versions.filter(
              (version) =>
                (appId ?? version.appId) === version.appId &&
                inListOrder(from, version) <= 0 &&
                inListOrder(version, to) <= 0,
            ),
          );
        }),
        { numRuns: runs(60) },
      );
    });

    it("are the last ones at or before the moment", async () => {
      const versions = [5, 1, 3].map((fetchedAt) => versionOf({ fetchedAt }));
      await storeOf().keepVersions(PROJECT, versions);
      for (const [asOf, found] of [
        [0, []],
        [1, [1]],
        [2, [1]],
        [3, [3]],
        [4, [3]],
        [99, [5]],
      ] as const) {
        const read = await readVersions(storeOf(), { asOf });
        expect(read).toEqual(found.map((fetchedAt) => versionOf({ fetchedAt })));
      }
    });

    it("are stored once, even if stored repeatedly and concurrently", async () => {
      const labels = Array.from({ length: 1_500 }, (_, i) => `l${i}`);
      const versions = [TIME, TIME - 1].flatMap((fetchedAt) =>
        labels.map((label) => versionOf({ label, fetchedAt })),
      );
      await Promise.all(
        [1, 2, 3].map(() => storeOf().keepVersions(PROJECT, [...versions, ...versions.slice(0, 9)])),
      );
      await storeOf().keepVersions(PROJECT, []);
      await reopen();
      await storeOf().keepVersions(PROJECT, versions.slice(0, 100));
      for (const asOf of [TIME, TIME - 1]) {
        const read = await readVersions(storeOf(), { asOf });
        expect(read.map(({ label, fetchedAt }) => [label, fetchedAt])).toEqual(
          labels.toSorted(byBytes).map((label) => [label, asOf]),
        );
      }
    });

    it("keep their exact JSON", async () => {
      const versions = ['{"a":33.333333333333336,"b":50.0}', "\"é😀\\u0000'", "x".repeat(100_000)].map(
        (original, i) => versionOf({ label: `${i}`, original }),
      );
      await storeOf().keepVersions(PROJECT, versions);
      expect(await readVersions(storeOf())).toEqual(versions);
    });

    it("are no longer read after the reader aborts", async () => {
      await storeOf().keepVersions(PROJECT, [versionOf()]);
      const query = { project: PROJECT, ...WHOLE_LIST, asOf: TIME };
      await expect(storeOf().readVersions(query, AbortSignal.abort("gone"))).rejects.toBe("gone");
      const controllers = Array.from({ length: 40 }, () => new AbortController());
      const reads = controllers.map(({ signal }) =>
        storeOf()
          .readVersions(query, signal)
          .then(
            (versions) => versions.length,
            (reason: unknown) => reason,
          ),
      );
      for (const controller of controllers) controller.abort("gone");
      expect(await Promise.all(reads)).toEqual(controllers.map(() => "gone"));
      expect(await readVersions(storeOf())).toHaveLength(1);
    });
  });
}
