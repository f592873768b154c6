import type { RecordChange, RecordKind } from "../records.js";
import type { SqlValue } from "./records-file.js";

/** A record before a commit: its position in {@link wantedRows}, its revision, and the value of audited kinds. */
export type FoundRow = readonly [position: number, revision: number, value: string | null];

/** Rows to write in one commit, with all table columns. */
export interface CommitRows {
  /** Revision of each group. `undefined` for a group that is not made. */
  readonly revisions: readonly (number | undefined)[];
  readonly lastRevision: number;
  readonly put: readonly (readonly SqlValue[])[];
  readonly removed: readonly (readonly SqlValue[])[];
  readonly history: readonly (readonly SqlValue[])[];
}

/** A record while groups of changes are made. */
interface Current {
  readonly revision: number;
  readonly value: string | null;
}

/** Returns the key of each changed record, and whether its value is needed. */
export const wantedRows = (groups: readonly (readonly RecordChange[])[]): readonly (readonly SqlValue[])[] =>
  groups.flat().map(({ kind, key }) => [kind.name, key, kind.isAudited === true ? 1 : 0]);

/**
 * Makes groups of changes one after another, and returns the rows that result.
 *
 * @param found existing records of {@link wantedRows}.
 * @param revision last revision before the commit.
 */
export function commitRows(
  groups: readonly (readonly RecordChange[])[],
  found: readonly FoundRow[],
  revision: number,
  now: number,
): CommitRows {
  const changes = groups.flat();
  const current = new Map<string, Current | undefined>();
  for (const [position, ofRow, value] of found)
    current.set(idOf(changes[position] as RecordChange), { revision: ofRow, value });
  const put = new Map<string, readonly SqlValue[]>();
  const removed = new Map<string, readonly SqlValue[]>();
  const history: (readonly SqlValue[])[] = [];
  let lastRevision = revision;
  const revisions = groups.map((group) => {
    const before = group.map((change) => current.get(idOf(change)));
    if (group.some((change, index) => !hasRevision(before[index], change.ifRevision))) return undefined;
    lastRevision++;
    for (const [index, change] of group.entries()) {
      const { kind, key, value, expireTime = null } = change;
      const id = idOf(change);
      const text = textOf(value);
      const isKept = text !== null || kind.isFollowed === true;
      put.delete(id);
      removed.delete(id);
      if (isKept) put.set(id, [kind.name, key, text, lastRevision, kind.isFollowed ? 1 : 0, expireTime]);
      else removed.set(id, [kind.name, key]);
      const exists = text !== null && (expireTime === null || expireTime > now);
      current.set(id, exists ? { revision: lastRevision, value: text } : undefined);
      if (kind.isAudited === true) history.push(historyRow(change, lastRevision, now, before[index]));
    }
    return lastRevision;
  });
  return { revisions, lastRevision, put: [...put.values()], removed: [...removed.values()], history };
}

const hasRevision = (current: Current | undefined, expected: number | undefined): boolean =>
  expected === undefined || (current === undefined ? 0 : current.revision) === expected;

function historyRow(
  { kind, key, value, note }: RecordChange,
  revision: number,
  now: number,
  before: Current | undefined,
): readonly SqlValue[] {
  const previous = before === undefined ? null : before.value;
  return [revision, kind.name, key, now, shown(kind, textOf(value)), shown(kind, previous), textOf(note)];
}

/** Hides values of secret kinds. */
const shown = (kind: RecordKind, text: string | null): string | null =>
  kind.isSecret === true && text !== null ? "null" : text;

const textOf = (value: RecordChange["value"]): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Keys contain no NUL characters. */
const idOf = ({ kind, key }: RecordChange): string => `${kind.name}\0${key}`;
