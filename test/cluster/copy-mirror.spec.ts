import { expect, it } from "vitest";
import { LAST_DAY } from "../../src/model/day.js";
import type { Store } from "../../src/store/store.js";
import {
  DAY,
  mirroredEntries,
  mirroredRow,
  mirroredRows,
  TIME,
} from "../../src/store/testing/conformance/mirror/mirrored-rows.js";
import { readTexts, responseOf } from "../../src/store/testing/conformance/mirror/responses-conformance.js";
import { readVersions, versionOf } from "../../src/store/testing/conformance/mirror/versions-conformance.js";
import { OTHER_PROJECT, PROJECT } from "../../src/store/testing/test-events.js";
import { Cut, cutAfter, Move } from "../support/cluster/copying.js";

const DAYS = [DAY, DAY - 1];
const ENTRIES = 60;
const RESPONSES = 100;

/** Fills the embedded store with a mirror's data. Another project only has a stored response. */
async function fill(store: Store): Promise<void> {
  for (const day of DAYS) {
    const rows = Array.from({ length: ENTRIES }, (_, i) => mirroredRow({ day, label: `l${i}`, count: i }));
    await store.publish(PROJECT, [{ day, entries: [mirroredEntries(rows)] }]);
    await store.keepVersions(
      PROJECT,
      rows.flatMap(({ label }) => [2, 1].map((ago) => versionOf({ day, label, fetchedAt: TIME - ago }))),
    );
  }
  for (let i = 0; i < RESPONSES; i++) {
    await store.storeResponse(PROJECT, responseOf({ fetchedAt: TIME - i, url: `/${i}`, text: `${i % 7}` }));
  }
  await store.storeResponse(OTHER_PROJECT, responseOf({ appId: "b", text: "{}" }));
}

/** Responses and versions of a mirror. */
async function keptIn(store: Store) {
  const query = { project: PROJECT, until: LAST_DAY, limit: 1_000, originals: true };
  return {
    entries: mirroredRows(await store.readEntries(query)),
    versions: await readVersions(store),
    earlier: await readVersions(store, { asOf: TIME - 2 }),
    responses: await readTexts(store, { limit: 1_000 }),
    others: await readTexts(store, { project: OTHER_PROJECT, appId: "b" }),
  };
}

it("a copy of a mirror has all data, even if it was interrupted at any point", async () => {
  const move = await Move.begin();
  try {
    const kept = await move.embedded(async (store) => {
      await fill(store);
      return keptIn(store);
    });
    for (const batches of [2, 5]) {
      await expect(move.copy((source) => cutAfter(source, batches))).rejects.toBeInstanceOf(Cut);
    }
    let [total, done] = [0, 0];
    const copied = await move.copy(undefined, {
      onTotal: (rows) => {
        total = rows;
      },
      onRows: (rows) => {
        done += rows;
      },
    });
    expect(copied).toMatchObject({ responses: RESPONSES + 1, versions: 4 * ENTRIES, problems: [] });
    expect(done).toBe(total);
    const inCluster = await move.clustered(keptIn);
    expect(inCluster).toEqual(kept);
    expect([inCluster.entries.length, inCluster.responses.length]).toEqual([2 * ENTRIES, RESPONSES]);
  } finally {
    await move.end();
  }
});
