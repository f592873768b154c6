import { rowEncoders } from "../../messaging-data/delivery-data/encode/row-encoders.js";
import { ENTRY_FORM } from "../../messaging-data/delivery-data/encode/row-form.js";
import { type Day, LAST_DAY } from "../../model/day.js";
import type { EntryColumns } from "../delivery-data-store.js";
import type { Store } from "../store.js";
import type { Place } from "./entry-grid.js";
import { PROJECT } from "./test-events.js";

const newEncoder = rowEncoders(ENTRY_FORM);

/** Returns entries as the service lists them. */
export function toJson(batches: readonly EntryColumns[]): unknown[] {
  const encoder = newEncoder("json");
  for (const batch of batches) encoder.add(batch, 0, batch.length);
  const { androidDeliveryData = [] } = JSON.parse(encoder.finish().bytes.toString());
  return androidDeliveryData;
}

/** Lists the entries of an app. */
export async function list(
  store: Store,
  appId: string,
  project = PROJECT,
  until: Day = LAST_DAY,
): Promise<unknown[]> {
  return toJson(await store.readEntries({ project, appId, until, limit: 10_000 }));
}

/** Returns the positions of entries. */
export const placesOf = (batches: readonly EntryColumns[]): Place[] =>
  batches.flatMap(({ length, days, appIds, labels }) =>
    Array.from({ length }, (_, i) => ({
      day: days[i] ?? Number.NaN,
      appId: appIds[i] ?? "?",
      label: labels[i] ?? "?",
    })),
  );
