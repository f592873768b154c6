import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import { at } from "../../model/collections.js";
import { type Day, formatDay, LAST_DAY } from "../../model/day.js";
import { COUNTS, type EntryColumns } from "../delivery-data-store.js";
import type { Store } from "../store.js";
import type { Place } from "./entry-grid.js";
import { naiveEntry, naiveJson } from "./naive-rollup.js";
import { PROJECT } from "./test-events.js";

const COUNT_NAMES = COUNTS.map(protoCamelCase);

export const toJson = (batches: readonly EntryColumns[]): unknown[] =>
  batches.flatMap(({ length, days, appIds, labels, counts }) =>
    Array.from({ length }, (_, row) =>
      naiveJson(
        naiveEntry(at(appIds, row), formatDay(at(days, row)), at(labels, row), (name) =>
          at(at(counts, COUNT_NAMES.indexOf(name)), row),
        ),
      ),
    ),
  );

export async function list(
  store: Store,
  appId: string,
  project = PROJECT,
  until: Day = LAST_DAY,
): Promise<unknown[]> {
  return toJson(await store.readEntries({ project, appId, until, limit: 10_000 }));
}

export const placesOf = (batches: readonly EntryColumns[]): Place[] =>
  batches.flatMap(({ length, days, appIds, labels }) =>
    Array.from({ length }, (_, i) => ({
      day: days[i] ?? Number.NaN,
      appId: appIds[i] ?? "?",
      label: labels[i] ?? "?",
    })),
  );
