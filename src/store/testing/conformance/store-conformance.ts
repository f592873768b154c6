import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at } from "../../../model/collections.js";
import { LAST_DAY } from "../../../model/day.js";
import type { NameLimits } from "../../../model/names.js";
import { StoreUnavailableError } from "../../../model/store-error.js";
import type { EntryPosition } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { list, toJson } from "../list-entries.js";
import type { StoreUnderTest } from "../store-under-test.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../test-events.js";
import { describeAbort } from "./abort-conformance.js";
import { describeErasure } from "./erasure-conformance.js";
import { describeHistories } from "./histories-conformance.js";
import { describeMirrorRetention } from "./mirror/mirror-retention-conformance.js";
import { describeOriginals } from "./mirror/originals-conformance.js";
import { describeResponses, readTexts, responseOf } from "./mirror/responses-conformance.js";
import { describeVersions, readVersions, versionOf } from "./mirror/versions-conformance.js";
import { describeNameLimits } from "./name-limits-conformance.js";
import { describePublish } from "./publish-conformance.js";
import { describeReads } from "./reads-conformance.js";
import { describeRetention } from "./retention-conformance.js";
import { describeRollup } from "./rollup-conformance.js";
import { describeSnapshot } from "./snapshot-conformance.js";
import { describeStaleDays } from "./stale-days-conformance.js";

interface SuiteOptions {
  /** Opens a snapshot directory. Omitted for stores without snapshots. */
  readonly openCopy?: (directory: string) => Promise<Store>;
  /** Fraction of random histories to try. Less than 1 for engines with slow calls. */
  readonly share?: number;
}

/** Tests any engine, with a function that opens it. */
export function describeStore(
  name: string,
  setUp: () => Promise<StoreUnderTest>,
  { openCopy, share = 1 }: SuiteOptions = {},
): void {
  const runs = (all: number): number => Math.ceil(share * all);
  describeReads(name, setUp, runs);

  describe(name, () => {
    let subject: StoreUnderTest;
    let store: Store;

    beforeEach(async () => {
      subject = await setUp();
      store = await subject.open();
    });
    afterEach(async () => {
      await store.close();
      await subject.dispose();
    });

    it("lists newest days first, then labels in byte order, starting with the empty label", async () => {
      const labels = ["b", "", "Z", "a", "~", "0", "-", "%"];
      const days = ["2025-12-31", "2026-03-05", "2024-02-29"];
      const events = days.flatMap((day) =>
        labels.map((analyticsLabel) =>
          accepted({ messageId: `${day}${analyticsLabel}`, eventTime: `${day}T20:00:00Z`, analyticsLabel }),
        ),
      );
      await store.append(PROJECT, blocksOf(events));
      await settle(store);
      const ordered = ["", "%", "-", "0", "Z", "a", "b", "~"];
      expect(
        (await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 100 })).flatMap(
          ({ labels }) => labels,
        ),
      ).toEqual([...ordered, ...ordered, ...ordered]);
    });

    it("reads pages that start after an entry, and only days up to the requested one", async () => {
      const events = Array.from({ length: 60 }, (_, i) =>
        accepted({
          messageId: `m${i}`,
          eventTime: new Date(Date.UTC(2026, 0, 1 + (i % 6), 20)).toISOString(),
          analyticsLabel: `label-${i % 10}`,
        }),
      );
      await store.append(PROJECT, blocksOf(events));
      await settle(store);
      const whole = await list(store, "app");
      expect(whole).toHaveLength(30);
      for (const limit of [1, 7, 30, 31]) {
        const pages: unknown[] = [];
        let after: EntryPosition | undefined;
        for (;;) {
          const page = await store.readEntries({
            project: PROJECT,
            appId: "app",
            until: LAST_DAY,
            limit,
            ...(after && { after }),
          });
          const last = page.at(-1);
          if (last === undefined || last.length === 0) break;
          pages.push(...toJson(page));
          after = { day: at(last.days, last.length - 1), label: at(last.labels, last.length - 1) };
        }
        expect(pages).toEqual(whole);
      }
      const until = Date.UTC(2026, 0, 3) / 86_400_000;
      expect(await list(store, "app", PROJECT, until)).toEqual(whole.slice(15));
    });

    it("separates projects and apps with identical message ids", async () => {
      await store.append(PROJECT, blocksOf([accepted({}), accepted({ appId: "other" })]));
      await store.append(OTHER_PROJECT, blocksOf([accepted({ notification: true })]));
      await settle(store);
      expect(await list(store, "app")).toMatchObject([{ data: { countMessagesAccepted: "1" } }]);
      expect(await list(store, "other")).toHaveLength(1);
      expect(await list(store, "app", OTHER_PROJECT)).toMatchObject([
        { data: { countNotificationsAccepted: "1" } },
      ]);
      expect(await list(store, "other", OTHER_PROJECT)).toEqual([]);
      expect(await list(store, "unknown")).toEqual([]);
    });

    const reopenWith = async (nameLimits?: NameLimits): Promise<Store> => {
      await store.close();
      store = await subject.open(nameLimits);
      return store;
    };
    const reopen = async (): Promise<void> => {
      await reopenWith();
    };
    describeRollup(() => store, runs);
    describeStaleDays(() => store, reopen);
    describeAbort(() => store);
    describeHistories(() => store, runs);
    describePublish(() => store);
    if (openCopy !== undefined) describeSnapshot(() => store, openCopy);
    else {
      it("has no snapshots", () => {
        expect(store.snapshot).toBeUndefined();
      });
    }
    describeNameLimits(reopenWith);
    describeErasure(
      () => store,
      reopenWith,
      () => subject.compactFiles(store),
    );
    describeRetention(() => store, reopen, runs);
    describeOriginals(() => store, reopen);
    describeResponses(() => store, reopen, runs);
    describeVersions(() => store, reopen, runs);
    describeMirrorRetention(() => store);

    it("measures its messages and pending work", async () => {
      expect(await store.figures()).toMatchObject({
        messages: 0,
        waitingEvents: 0,
        waitingDays: 0,
        sealedDays: 0,
      });
      await store.append(PROJECT, blocksOf([accepted({}), accepted({ eventType: "DELIVERED" })]));
      const waiting = await store.figures();
      expect(waiting).toMatchObject({ waitingEvents: 2, waitingDays: 1, sealedDays: 0 });
      expect(waiting.waitingSince).toBeGreaterThan(Date.now() - 60_000);
      await settle(store);
      await store.seal(LAST_DAY);
      const done = { waitingEvents: 0, waitingDays: 0, waitingSince: undefined, sealedDays: 1 };
      const figures = await store.figures();
      expect(figures).toMatchObject(done);
      // An engine may count a message several times while its events are not rolled up.
      expect([1, 2]).toContain(figures.messages);
      expect(Object.values(figures.bytes).reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(0);
    });

    it("stores a block with thousands of distinct labels and apps, over many days", async () => {
      const events = Array.from({ length: 20_000 }, (_, i) =>
        accepted({
          appId: `app-${i % 5000}`,
          messageId: `m${i}`,
          analyticsLabel: `label-${i}`,
          eventTime: new Date(Date.UTC(2026, 0, 1 + (i % 50), 20)).toISOString(),
        }),
      );
      await store.append(PROJECT, blocksOf(events));
      await store.append(PROJECT, blocksOf(events.slice(0, 100)));
      await settle(store);
      expect(await list(store, "app-7")).toMatchObject([
        { analyticsLabel: "label-10007" },
        { analyticsLabel: "label-15007" },
        { analyticsLabel: "label-5007" },
        { analyticsLabel: "label-7" },
      ]);
    });

    it("stores blocks that are appended concurrently", async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          store.append(
            i % 2 === 0 ? PROJECT : OTHER_PROJECT,
            blocksOf([accepted({ messageId: `m${i}`, analyticsLabel: `l${i % 3}` })]),
          ),
        ),
      );
      await settle(store);
      const total = async (project: string) =>
        (await store.readEntries({ project, appId: "app", until: LAST_DAY, limit: 10 }))
          .flatMap(({ counts }) => [...(counts[0] ?? [])])
          .reduce((sum, count) => sum + count, 0);
      expect(await total(PROJECT)).toBe(25);
      expect(await total(OTHER_PROJECT)).toBe(25);
    });

    it("reports an unavailable store once it is closed", async () => {
      await store.check();
      await store.close();
      await expect(store.check()).rejects.toThrow(StoreUnavailableError);
      await expect(store.append(PROJECT, blocksOf([accepted({})]))).rejects.toThrow(StoreUnavailableError);
      await expect(list(store, "app")).rejects.toThrow(StoreUnavailableError);
      await expect(store.storeResponse(PROJECT, responseOf())).rejects.toThrow(StoreUnavailableError);
      await expect(readTexts(store)).rejects.toThrow(StoreUnavailableError);
      await expect(store.keepVersions(PROJECT, [versionOf()])).rejects.toThrow(StoreUnavailableError);
      await expect(readVersions(store)).rejects.toThrow(StoreUnavailableError);
      store = await subject.open();
    });
  });
}
