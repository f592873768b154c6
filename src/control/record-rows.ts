import { StoreDamagedError } from "../model/store-error.js";
import type { ChangedRecord, HistoryEntry, Json, StoredRecord } from "./records.js";

/** A record, as a database returns its row. */
export interface RecordRow {
  readonly kind: string;
  readonly key: string;
  readonly value: string | null;
  readonly revision: string | number;
  readonly expire_time: string | number | null;
}

/** A history entry, as a database returns its row. */
export interface HistoryRow {
  readonly kind: string;
  readonly key: string;
  readonly revision: string | number;
  readonly time: string | number;
  readonly value: string | null;
  readonly previous: string | null;
  readonly note: string | null;
}

/** Converts a row with an existing or deleted record. @throws StoreDamagedError if the value is not JSON. */
export function changedOf(row: RecordRow): ChangedRecord {
  return {
    key: row.key,
    value: row.value === null ? undefined : parsed(row, row.value),
    revision: Number(row.revision),
    ...(row.expire_time !== null && { expireTime: Number(row.expire_time) }),
  };
}

/** Converts a row with an existing record. @throws the same errors as {@link changedOf}. */
export function storedOf(row: RecordRow): StoredRecord {
  const { value, ...rest } = changedOf(row);
  if (value === undefined) throw new Error(`the record ${row.kind} ${row.key} has no value`);
  return { ...rest, value };
}

/** Converts a row with a history entry. @throws the same errors as {@link changedOf}. */
export function entryOf(row: HistoryRow): HistoryEntry {
  const { kind, key, value, previous, note } = row;
  return {
    kind,
    key,
    revision: Number(row.revision),
    time: Number(row.time),
    ...(value !== null && { value: parsed(row, value) }),
    ...(previous !== null && { previous: parsed(row, previous) }),
    ...(note !== null && { note: parsed(row, note) }),
  };
}

function parsed({ kind, key }: { readonly kind: string; readonly key: string }, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new StoreDamagedError(`the record ${kind} ${key} is not JSON`, { cause });
  }
}
