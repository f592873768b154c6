import type { EntryColumns, OriginalColumns } from "../../delivery-data-store.js";
import type { RowReader } from "../row-binary.js";

/**
 * Finds the originals of entries among rows of the day, label, original, time and, of all apps, app id. Both are in list order.
 *
 * @returns no columns if there are entries without an original.
 */
export function originalsOf(
  { length, days, labels, appIds }: EntryColumns,
  rows: RowReader,
  isOfOneApp: boolean,
): OriginalColumns {
  const originals: string[] = [];
  const fetchedAt: number[] = [];
  for (let row = 0; row < length && !rows.isAtEnd; row++) {
    const [day, label, original, time] = [rows.int32(), rows.text(), rows.text(), rows.count()];
    const isOfRow = day === days[row] && label === labels[row];
    if (!isOfRow || (!isOfOneApp && rows.text() !== appIds[row])) return {};
    originals.push(original);
    fetchedAt.push(time);
  }
  return originals.length === length ? { originals, fetchedAt } : {};
}
