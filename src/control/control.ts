import type { z } from "zod";
import type { Clock } from "../model/clock.js";
import type { DayLedger } from "./day-ledger.js";
import type { LeaseStore } from "./lease-store.js";
import type { CopiedRecord, HistoryEntry, Records } from "./records.js";

/** The state that all processes of a server share. */
export interface Control {
  readonly records: Records;
  readonly leases: LeaseStore;
  /** The days, for store engines that cannot keep them; missing if only such an engine can be used that does. */
  readonly days: DayLedger | undefined;
  /** The copy that fills these data; missing if they cannot be copied into. */
  readonly copy: ControlCopy | undefined;
  /** Writes all records but secrets to a new file, as of one moment; `undefined` if they are kept elsewhere. */
  readonly snapshot: ((path: string) => Promise<void>) | undefined;
  /** Returns the time of the clock that all processes share, in milliseconds since the Unix epoch. @throws as {@link check}. */
  now(): Promise<number>;
  /** Checks that changes can be made. @throws StoreUnavailableError if they cannot. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The surroundings of {@link Control}. */
export interface ControlContext {
  /** The data directory, for engines that keep files. */
  readonly directory: string;
  readonly clock: Clock;
}

/** An engine that can be chosen by the key `control.engine` of the configuration. */
export interface ControlEngine<Options> {
  /** Value of `control.engine`. */
  readonly name: string;
  /** Schema of `control`, whose key `engine` is the literal {@link name}. */
  readonly schema: z.ZodType<Options>;
  /** True if any number of processes share it, with a ledger of days. */
  readonly isShared: boolean;
  /** @throws StoreOpenError if it cannot be used. */
  open(options: Options, context: ControlContext): Promise<Control>;
}

/**
 * A copy of what another server has, into control data that know of no days yet. Until it is complete, servers do not
 * use them.
 */
export interface ControlCopy {
  /** Tells how far the copy is. */
  state(): Promise<"none" | "begun" | "complete">;

  /**
   * Begins the copy, or goes on with one of the same source.
   *
   * @param source digest of all that is copied.
   * @throws StoreOpenError if there are other data already, or another copy.
   */
  begin(source: string): Promise<void>;

  /** Adds records and their history as they are, with their revisions. Records from an earlier attempt are replaced. */
  addRecords(records: readonly CopiedRecord[], history: readonly HistoryEntry[]): Promise<void>;

  /** Returns the number of changes in the history of all records. */
  historyLength(): Promise<number>;

  /** Completes the copy: servers may use the data from now on. */
  complete(): Promise<void>;
}
