import { beforeEach, describe, expect, it } from "vitest";
import { testDirectory } from "../../../../test/support/test-directory.js";
import { LAST_DAY } from "../../../model/day.js";
import type { Store } from "../../store.js";
import { accepted, blocksOf, PROJECT, settle } from "../test-events.js";
import { mirroredEntries, mirroredRow, mirroredRows } from "./mirror/mirrored-rows.js";
import { readTexts, responseOf } from "./mirror/responses-conformance.js";
import { readVersions, versionOf } from "./mirror/versions-conformance.js";

const acceptedOf = async (store: Store): Promise<number> => {
  const [batch] = await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 1 });
  return batch?.counts[0]?.[0] ?? 0;
};

function expectSnapshots(store: Store): NonNullable<Store["snapshot"]> {
  if (store.snapshot === undefined) throw new Error("the store has no snapshots");
  return store.snapshot.bind(store);
}

/** Tests snapshots for any engine. `openCopy` opens a snapshot directory. */
export function describeSnapshot(store: () => Store, openCopy: (directory: string) => Promise<Store>): void {
  describe("snapshot", () => {
    let directory: string;
    beforeEach(async () => {
      directory = await testDirectory();
    });

    const snapshot = (signal?: AbortSignal) => expectSnapshots(store())(directory, signal);
    const append = (messageId: string) => store().append(PROJECT, blocksOf([accepted({ messageId })]));

    it("includes everything acknowledged before, rolled up or not", async () => {
      await append("a");
      await settle(store());
      await append("b");
      await snapshot();
      await append("c");
      const copy = await openCopy(directory);
      expect(await acceptedOf(copy)).toBe(1);
      await settle(copy);
      expect(await acceptedOf(copy)).toBe(2);
      await copy.close();
    });

    it("includes everything acknowledged before, while appends and rollups continue", async () => {
      let sent = 0;
      let isDone = false;
      const appending = (async () => {
        for (; !isDone; sent++) await append(`m${sent}`);
      })();
      const rolling = (async () => {
        while (!isDone) await settle(store());
      })();
      while (sent < 20) await new Promise((resolve) => setImmediate(resolve));
      const before = sent;
      await snapshot().finally(() => {
        isDone = true;
      });
      await Promise.all([appending, rolling]);
      const copy = await openCopy(directory);
      await settle(copy);
      const copied = await acceptedOf(copy);
      expect(copied).toBeGreaterThanOrEqual(before);
      expect(copied).toBeLessThanOrEqual(sent);
      await copy.close();
    });

    it("includes mirror data", async () => {
      const row = mirroredRow();
      await store().publish(PROJECT, [{ day: row.day, entries: [mirroredEntries([row])] }]);
      await store().keepVersions(PROJECT, [versionOf()]);
      await store().storeResponse(PROJECT, responseOf({ text: "[1]" }));
      await snapshot();
      const copy = await openCopy(directory);
      const query = { project: PROJECT, until: LAST_DAY, limit: 9, originals: true };
      expect(mirroredRows(await copy.readEntries(query))).toEqual([row]);
      expect(await readVersions(copy)).toEqual([versionOf()]);
      expect(await readTexts(copy)).toMatchObject([{ text: "[1]" }]);
      await copy.close();
    });

    it("is cancelled by its signal, and succeeds the next time", async () => {
      await append("a");
      const reason = new Error("gone");
      await expect(snapshot(AbortSignal.abort(reason))).rejects.toBe(reason);
      await snapshot();
      const copy = await openCopy(directory);
      await settle(copy);
      expect(await acceptedOf(copy)).toBe(1);
      await copy.close();
    });
  });
}
