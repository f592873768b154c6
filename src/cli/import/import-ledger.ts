import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, systemReason } from "../../model/system-error.js";
import { CommandFailure } from "../support/command-failure.js";

/** Identifies a version of a file. It changes when the file changes. */
export interface FileVersion {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly modified: number;
}

export const isSame = (a: FileVersion, b: FileVersion): boolean =>
  a.name === b.name && a.size === b.size && a.modified === b.modified;

/** Progress of one file. */
interface LedgerEntry extends FileVersion {
  /** Identifies the target and the conversion. With others, these bytes have another meaning. */
  readonly settings: string;
  /** Imported bytes of NDJSON events. */
  readonly bytes: number;
}

/** Keeps import progress in the followed directory, so that an import can continue after a restart. */
export class ImportLedger {
  readonly #file: string;
  readonly #settings: string;

  /** @param settings identifies the import's target, and all that affects the conversion. */
  constructor(directory: string, settings: string) {
    this.#file = join(directory, ".waybill-import.json");
    this.#settings = settings;
  }

  /**
   * Returns how many bytes of a file's events are imported, if neither the file nor the settings have changed since.
   * Returns 0 if the ledger is missing or damaged, because events may be sent again.
   */
  bytesOf(version: FileVersion): number {
    try {
      const { bytes, settings, ...imported } = JSON.parse(readFileSync(this.#file, "utf8")) as LedgerEntry;
      return isSame(imported, version) && settings === this.#settings ? bytes : 0;
    } catch (error) {
      if (error instanceof SyntaxError || hasCode(error, "ENOENT")) return 0;
      throw this.#failure(error);
    }
  }

  /** @throws CommandFailure if the ledger cannot be written. */
  note(version: FileVersion, bytes: number): void {
    const entry: LedgerEntry = { ...version, settings: this.#settings, bytes };
    try {
      writeFileSync(`${this.#file}.tmp`, JSON.stringify(entry));
      renameSync(`${this.#file}.tmp`, this.#file);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async clear(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  #failure(cause: unknown): unknown {
    const reason = systemReason(cause);
    if (reason === undefined) return cause;
    return new CommandFailure(`the progress cannot be noted in ${this.#file}: ${reason}`, { cause });
  }
}
