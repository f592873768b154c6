import { join } from "node:path";
import { type ChangeRecord, readRecord } from "./change-record.js";
import { JournalFile } from "./journal-file.js";

/** The journal of the changes of app-attestation configurations, in the data directory. */
export const CHANGES_FILE = "app-attest-configs.ndjson";

/**
 * Decides which changes in a journal hold: of those with one revision of an app, the first. Every reader of the journal
 * comes to the same decision, so processes that write at the same time need no lock.
 */
export class ChangeHistory {
  readonly #latest = new Map<string, ChangeRecord>();

  /** Takes the next change of the journal. @returns whether it holds. */
  add(record: ChangeRecord): boolean {
    if (record.revision <= (this.latest(record.project, record.appId)?.revision ?? 0)) return false;
    this.#latest.set(`${record.project}/${record.appId}`, record);
    return true;
  }

  /** The change that made the configuration of an app what it is. */
  latest(project: string, appId: string): ChangeRecord | undefined {
    return this.#latest.get(`${project}/${appId}`);
  }
}

/**
 * Reads all changes that hold from a data directory, oldest first; also while servers use it.
 *
 * @throws an error of the system if the journal is there and cannot be read.
 */
export function readChanges(directory: string): ChangeRecord[] {
  const history = new ChangeHistory();
  return new JournalFile(join(directory, CHANGES_FILE)).newLines().flatMap((line) => {
    const record = readRecord(line);
    return typeof record !== "string" && history.add(record) ? [record] : [];
  });
}
