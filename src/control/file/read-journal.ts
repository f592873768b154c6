import { join } from "node:path";
import { CHANGES_FILE, ChangeHistory } from "./change-history.js";
import { type ChangeRecord, readRecord } from "./change-record.js";
import { JournalFile, type JournalLine } from "./journal-file.js";

/** A damaged line of the journal. */
export interface JournalDamage {
  /** Number of the line in the journal, from 1. */
  readonly lineNumber: number;
  readonly problem: string;
}

/** A line of the journal, read after all lines before it. */
export interface ReadLine {
  /** The change, if it takes effect. */
  readonly change?: ChangeRecord;
  readonly problem?: string;
}

/** Reads the next line of the journal and adds its change to the history of the lines before it. */
export function readNext(history: Pick<ChangeHistory, "latest" | "add">, line: JournalLine): ReadLine {
  const record = readRecord(line);
  if (typeof record === "string") return { problem: `is no change: ${record}` };
  const { project, appId, revision } = record;
  const before = history.latest(project, appId)?.revision ?? 0;
  if (!history.add(record)) return {};
  const gap = revision > before + 1 ? { problem: `is revision ${revision} after ${before}` } : {};
  return { change: record, ...gap };
}

/** The journal of a data directory. */
export interface Journal {
  /** The changes that take effect, oldest first. */
  readonly changes: readonly ChangeRecord[];
  readonly damage: readonly JournalDamage[];
}

/**
 * Reads the journal of a data directory. Servers may be using the directory.
 *
 * @throws an error of the system if the journal exists and cannot be read.
 */
export function readJournal(directory: string): Journal {
  const history = new ChangeHistory();
  const changes: ChangeRecord[] = [];
  const damage: JournalDamage[] = [];
  for (const line of new JournalFile(join(directory, CHANGES_FILE)).newLines()) {
    const { change, problem } = readNext(history, line);
    if (change !== undefined) changes.push(change);
    if (problem !== undefined) damage.push({ lineNumber: line.number, problem });
  }
  return { changes, damage };
}

/** Reads the changes of {@link readJournal} alone. */
export const readChanges = (directory: string): readonly ChangeRecord[] => readJournal(directory).changes;
