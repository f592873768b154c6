import { type Json, RECORD_KINDS, type Records } from "./records.js";

/** Maximum number of keys that one server can have. */
const MAX_KEYS = 100;

/** A key cannot be used. The message is a single line and contains the key's location. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** A key that a server has generated for itself. */
export interface Key {
  readonly value: Json;
  /** Location of the key, for messages to operators. */
  readonly place: string;
}

export type KeyRecords = Pick<Records, "place" | "get" | "change">;

/**
 * Returns a key that all processes of a server share. The first process that needs the key generates it.
 *
 * @throws KeyError if the key was removed at the same moment.
 * @throws StoreUnavailableError if the records cannot be read or written.
 */
export async function sharedKey(records: KeyRecords, name: string, make: () => Json): Promise<Key> {
  const kind = RECORD_KINDS.key;
  const place = `${name} in ${records.place}`;
  let found = await records.get(kind, name);
  if (found === undefined) {
    // If another process has generated the key in the meantime, this changes nothing.
    await records.change([{ kind, key: name, value: make(), ifRevision: 0 }]);
    found = await records.get(kind, name);
  }
  if (found === undefined)
    throw new KeyError(`the key ${place} was removed while it was being created; try again`);
  return { value: found.value, place };
}

/**
 * Removes a key. The next process that needs the key generates a new one.
 *
 * @throws StoreUnavailableError if the record cannot be removed.
 */
export async function removeKey(records: KeyRecords, name: string): Promise<void> {
  await records.change([{ kind: RECORD_KINDS.key, key: name, value: undefined }]);
}

/** Returns all keys, by name. @throws StoreUnavailableError if the records cannot be read. */
export async function readKeys(records: Pick<Records, "list">): Promise<ReadonlyMap<string, Json>> {
  const found = await records.list(RECORD_KINDS.key, { limit: MAX_KEYS });
  return new Map(found.map(({ key, value }) => [key, value]));
}
