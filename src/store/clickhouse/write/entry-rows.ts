import type { Day } from "../../../model/day.js";
import type { DayEntries } from "../../delivery-data-store.js";
import { RowWriter } from "../row-binary.js";

const encoder = new TextEncoder();

/** Returns entries of a day as rows of `entries`: in the order of its columns. */
export function entryRows(
  project: string,
  day: Day,
  version: number,
  batches: readonly DayEntries[],
): Buffer {
  const rows = new RowWriter();
  for (const { length, appIds, labels, counts } of batches) {
    for (let i = 0; i < length; i++) {
      rows.uint64(BigInt(project));
      rows.int32(day);
      rows.text(encoder.encode(appIds[i] ?? ""));
      rows.text(encoder.encode(labels[i] ?? ""));
      rows.count(version);
      for (const column of counts) rows.count(column[i] ?? 0);
    }
  }
  return rows.bytes;
}
