import type { Day } from "../../model/day.js";
import { COUNTS, type DeliveryDataStore } from "../../store/delivery-data-store.js";
import { readAll } from "../delivery-data/read-all.js";
import { type AppFigures, LargestApps } from "./largest-apps.js";

/** Number of entries that are read at once, which holds up the event loop for some milliseconds. */
const ENTRIES_AT_ONCE = 2_000;

const ACCEPTED = COUNTS.indexOf("count_messages_accepted");
const DELIVERED = COUNTS.indexOf("delivered");

/**
 * Sums up the entries of a day of a project by app, a limited number of entries at a time: others have their turn in
 * between.
 *
 * @param project project number, in decimal.
 * @returns the largest apps with entries, and the sum of all others, which may be 0.
 * @throws StoreUnavailableError if the store cannot be reached; the reason of `signal` once it has aborted.
 */
export async function readApps(
  store: Pick<DeliveryDataStore, "readEntries">,
  project: string,
  day: Day,
  signal: AbortSignal,
): Promise<readonly AppFigures[]> {
  const apps = new LargestApps();
  // Entries come in the order of app ids: those of an app follow each other. The first sum is that of no apps.
  let sum = { project, app: "", accepted: 0, delivered: 0 };
  // An app whose entries all lack their figures has no number of messages, rather than none.
  const end = (): void => {
    if (sum.app === "" || sum.accepted > 0) apps.add(sum);
  };
  const entries = readAll(
    store,
    { project, until: day, filter: { kind: "day", comparison: "=", day }, limit: ENTRIES_AT_ONCE },
    signal,
  );
  for await (const { length, appIds, counts } of entries) {
    for (let row = 0; row < length; row++) {
      const app = appIds[row] ?? "";
      if (app !== sum.app) {
        end();
        sum = { project, app, accepted: 0, delivered: 0 };
      }
      sum.accepted += counts[ACCEPTED]?.[row] ?? 0;
      sum.delivered += counts[DELIVERED]?.[row] ?? 0;
    }
  }
  end();
  return apps.all();
}
