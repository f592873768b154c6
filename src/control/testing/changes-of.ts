import type { ChangedRecord, RecordChanges, RecordKind, Records } from "../records.js";

export async function changesOf(
  records: Pick<Records, "changesSince">,
  kind: RecordKind,
  since: number,
): Promise<RecordChanges> {
  let all: ChangedRecord[] = [];
  let [whole, last] = [false, since];
  for await (const { isWhole, records: page, revision } of records.changesSince(kind, since)) {
    if (isWhole) [whole, all] = [true, []];
    all.push(...page);
    last = revision;
  }
  return { isWhole: whole, records: all, revision: last };
}
