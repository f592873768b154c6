import type { EntryColumns } from "../../delivery-data-store.js";
import { RowWriter } from "../row-binary.js";

const encoder = new TextEncoder();

/** Returns entries as rows of `entries`: in the order of its columns. */
export function entryRows(project: string, version: number, batches: readonly EntryColumns[]): Buffer {
  const rows = new RowWriter();
  for (const { length, days, appIds, labels, counts } of batches) {
    for (let i = 0; i < length; i++) {
      rows.uint64(BigInt(project));
      rows.int32(days[i] ?? 0);
      rows.text(encoder.encode(appIds[i] ?? ""));
      rows.text(encoder.encode(labels[i] ?? ""));
      rows.count(version);
      for (const column of counts) rows.count(column[i] ?? 0);
    }
  }
  return rows.bytes;
}
