import type { z } from "zod";
import type { Clock } from "../model/clock.js";
import type { DayLedger } from "./day-ledger.js";
import type { LeaseStore } from "./lease-store.js";
import type { CopiedRecord, HistoryEntry, Records } from "./records.js";

/** The state that all processes of a server share. */
export interface Control {
  readonly records: Records;
  readonly leases: LeaseStore;
  /** The day ledger, for store engines without one. Omitted if such engines cannot be used. */
  readonly days: DayLedger | undefined;
  /** Copies control data from another server. Omitted if that is not supported. */
  readonly copy: ControlCopy | undefined;
  /** Writes a consistent copy of all records except secrets to a new file. `undefined` if the engine keeps no files. */
  readonly snapshot: ((path: string) => Promise<void>) | undefined;
  /** Returns the shared clock's time, in milliseconds since the Unix epoch. @throws the same errors as {@link check}. */
  now(): Promise<number>;
  /** Checks that changes are possible. @throws StoreUnavailableError if they cannot. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The environment of {@link Control}. */
export interface ControlContext {
  /** The data directory, for engines that keep files. */
  readonly directory: string;
  readonly clock: Clock;
}

/** An engine that the config key `control.engine` can select. */
export interface ControlEngine<Options> {
  /** Value of `control.engine`. */
  readonly name: string;
  /** Schema of `control`. Its key `engine` is the literal {@link name}. */
  readonly schema: z.ZodType<Options>;
  /** True if any number of processes can share it. It then has a day ledger. */
  readonly isShared: boolean;
  /** @throws StoreOpenError if it cannot be opened. */
  open(options: Options, context: ControlContext): Promise<Control>;
}

/**
 * Copies the control data of another server into empty control data. Servers do not start until the copy is complete.
 */
export interface ControlCopy {
  /** Returns the copy's progress. */
  state(): Promise<"none" | "begun" | "complete">;

  /**
   * Begins the copy, or continues one from the same source.
   *
   * @param source digest of the copied data.
   * @throws StoreOpenError if there is other data, or another copy.
   */
  begin(source: string): Promise<void>;

  /** Adds records and their history with unchanged revisions. Replaces records from an earlier attempt. */
  addRecords(records: readonly CopiedRecord[], history: readonly HistoryEntry[]): Promise<void>;

  /** Returns the number of history entries. */
  historyLength(): Promise<number>;

  /** Completes the copy. Servers can use the data from then on. */
  complete(): Promise<void>;
}
