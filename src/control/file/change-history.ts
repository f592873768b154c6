import type { ChangeRecord } from "./change-record.js";

/** Name of the journal of configuration changes, in the data directory. */
export const CHANGES_FILE = "app-attest-configs.ndjson";

/**
 * Decides which changes in a journal take effect: of several with the same app and revision, the first. Every
 * reader of the journal reaches the same decision, which lets processes write concurrently without a lock.
 */
export class ChangeHistory {
  readonly #latest = new Map<string, ChangeRecord>();

  /** Adds the next change of the journal. @returns true if it takes effect. */
  add(record: ChangeRecord): boolean {
    if (record.revision <= (this.latest(record.project, record.appId)?.revision ?? 0)) return false;
    this.#latest.set(`${record.project}/${record.appId}`, record);
    return true;
  }

  /** The last change of an app that took effect. */
  latest(project: string, appId: string): ChangeRecord | undefined {
    return this.#latest.get(`${project}/${appId}`);
  }
}
