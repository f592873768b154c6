import { type Json, RECORD_KINDS, type RecordKind, type Records } from "../records.js";
import { changesOf } from "./changes-of.js";

const KINDS: readonly RecordKind[] = Object.values(RECORD_KINDS);
const VALUES: readonly Json[] = [{ text: "ä" }, null, [1]];

/** Creates records of all kinds, changes some of them, and deletes others. */
export async function fillAllKinds(records: Records): Promise<void> {
  for (const kind of KINDS) {
    for (const [index, value] of VALUES.entries()) {
      const change = { kind, key: `7/${index}`, note: { principal: "who" } };
      await records.change([{ ...change, value: "first" }]);
      await records.change([{ ...change, value }]);
    }
    await records.change([{ kind, key: "7/0", value: undefined }]);
  }
}

/** Reads the records of all kinds that a backup or copy contains, with the history of audited kinds. */
export async function contentOfAllKinds(records: Records) {
  const ofKind = async (kind: RecordKind) => ({
    name: kind.name,
    records: kind.isSecret ? [] : await records.list(kind, { limit: 100 }),
    changed: kind.isFollowed && !kind.isSecret ? (await changesOf(records, kind, 0)).records : [],
  });
  return {
    kinds: await Promise.all(KINDS.map(ofKind)),
    history: await records.history({ kinds: KINDS, limit: 1_000 }),
  };
}
