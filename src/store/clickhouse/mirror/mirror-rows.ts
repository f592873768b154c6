import type { EntryColumns } from "../../delivery-data-store.js";
import type { EntryVersion } from "../../mirror-store.js";
import { RowWriter } from "../row-binary.js";

const encoder = new TextEncoder();

/** Returns the originals of entries as rows of `originals`: in the order of its columns. Entries without one have no row. */
export function originalRows(project: string, version: number, batches: readonly EntryColumns[]): Buffer {
  const rows = new RowWriter();
  for (const { length, days, appIds, labels, originals, fetchedAt } of batches) {
    if (originals === undefined) continue;
    for (let i = 0; i < length; i++) {
      rows.uint64(BigInt(project));
      rows.int32(days[i] ?? 0);
      rows.text(encoder.encode(appIds[i]));
      rows.text(encoder.encode(labels[i]));
      rows.count(version);
      rows.count(fetchedAt?.[i] ?? 0);
      rows.text(encoder.encode(originals[i]));
    }
  }
  return rows.bytes;
}

/** Returns versions of entries as rows of `entry_versions`: in the order of its columns. */
export function versionRows(project: string, versions: readonly EntryVersion[]): Buffer {
  const rows = new RowWriter();
  for (const { day, appId, label, fetchedAt, original } of versions) {
    rows.uint64(BigInt(project));
    rows.int32(day);
    rows.text(encoder.encode(appId));
    rows.text(encoder.encode(label));
    rows.count(fetchedAt);
    rows.text(encoder.encode(original));
  }
  return rows.bytes;
}
