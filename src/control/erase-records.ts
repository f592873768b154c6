import type { Json, RecordKind, Records } from "./records.js";

const RECORDS_A_STEP = 200;

/**
 * Erases some records of a deleted project or app. Each call erases a limited number, and must be repeated until nothing
 * is left. The history of audited kinds gets an entry for each erased record, and remains until its retention ends.
 *
 * @param scope selects the record with this key, and records with keys that begin with it and a slash. For all records of
 * a project, this is the project number.
 * @param note author and reason of the erasure, for the history.
 * @returns true if nothing was left.
 * @throws StoreUnavailableError if the write fails. Some records may have been erased.
 */
export async function eraseRecords(
  records: Pick<Records, "get" | "list" | "change" | "forget">,
  kinds: readonly RecordKind[],
  scope: string,
  note?: Json,
): Promise<boolean> {
  const prefix = `${scope}/`;
  for (const kind of kinds) {
    const only = await records.get(kind, scope);
    const others = await records.list(kind, { prefix, limit: RECORDS_A_STEP });
    const found = only === undefined ? others : [only, ...others];
    if (found.length > 0) {
      await records.change(found.map(({ key }) => ({ kind, key, value: undefined, note })));
      return false;
    }
    if (kind.isFollowed && (await records.forget(kind, prefix, RECORDS_A_STEP)) > 0) return false;
  }
  return true;
}
