import { type Json, RECORD_KINDS, type Records } from "./records.js";

/** Maximum number of keys that a server has. */
const MAX_KEYS = 100;

/** A key is unusable. The message is one line that names its place. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** A key that a server made for itself. */
export interface Key {
  readonly value: Json;
  /** Place of the key, for messages to operators. */
  readonly place: string;
}

/** Records that keep keys. */
export type KeyRecords = Pick<Records, "place" | "get" | "change">;

/**
 * Returns a key that all processes of a server share. The first process that needs the key makes it.
 *
 * @param make makes the value.
 * @throws KeyError if the key was removed at the same moment. @throws StoreUnavailableError if the records fail.
 */
export async function sharedKey(records: KeyRecords, name: string, make: () => Json): Promise<Key> {
  const kind = RECORD_KINDS.key;
  const place = `${name} in ${records.place}`;
  let found = await records.get(kind, name);
  if (found === undefined) {
    // Changes nothing if another process has made the key since.
    await records.change([{ kind, key: name, value: make(), ifRevision: 0 }]);
    found = await records.get(kind, name);
  }
  if (found === undefined) throw new KeyError(`the key ${place} was removed while it was made; try again`);
  return { value: found.value, place };
}

/** Removes a key: the next process that needs it makes a new one. @throws StoreUnavailableError if that fails. */
export async function removeKey(records: KeyRecords, name: string): Promise<void> {
  await records.change([{ kind: RECORD_KINDS.key, key: name, value: undefined }]);
}

/** Returns all keys by name. @throws StoreUnavailableError if the records cannot be read. */
export async function readKeys(records: Pick<Records, "list">): Promise<ReadonlyMap<string, Json>> {
  const found = await records.list(RECORD_KINDS.key, { limit: MAX_KEYS });
  return new Map(found.map(({ key, value }) => [key, value]));
}
