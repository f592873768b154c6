import type * as z from "zod";
import type { Clock } from "../model/clock.js";
import type { UpgradePlan } from "../sql/migrations.js";
import type { DayLedger } from "./day-ledger.js";
import type { LeaseStore } from "./lease-store.js";
import type { CopiedRecord, HistoryEntry, Records } from "./records.js";

/** State that all processes of a server share. */
export interface Control {
  readonly records: Records;
  readonly leases: LeaseStore;
  /**
   * The day ledger, for store engines that have none. Omitted if the control engine cannot serve such store engines.
   */
  readonly days: DayLedger | undefined;
  /** Copies control data from another server. Omitted if the engine does not support this. */
  readonly copy: ControlCopy | undefined;
  /**
   * Writes a consistent copy of all records, except secrets, to a new file. `undefined` if the engine keeps no files.
   */
  readonly snapshot: ((path: string) => Promise<void>) | undefined;
  /** Returns the shared clock's time, in milliseconds since the Unix epoch. @throws the same errors as {@link check}. */
  now(): Promise<number>;
  /** Checks that records can be changed. @throws StoreUnavailableError if they cannot. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The environment that a server provides for {@link Control}. */
export interface ControlContext {
  /** Data directory of the server, for engines that keep files. */
  readonly directory: string;
  readonly clock: Clock;
}

/** An engine for control data. The config key `control.engine` selects it. */
export interface ControlEngine<Options> {
  /** Value of `control.engine`. */
  readonly name: string;
  /** Schema of the config key `control`. In it, `engine` must be the literal {@link name}. */
  readonly schema: z.ZodType<Options>;
  /** True if any number of processes can share the control data. The engine then has a day ledger. */
  readonly isShared: boolean;
  /** Opens the control data. @throws StoreOpenError if the control data cannot be opened. */
  open(options: Options, context: ControlContext): Promise<Control>;
  /**
   * Returns the changes that {@link open} would make to the schema. Changes nothing.
   *
   * @throws StoreOpenError or StoreUnavailableError if the control data cannot be read.
   */
  planUpgrade(options: Options, context: Pick<ControlContext, "directory">): Promise<UpgradePlan>;
}

/**
 * Copies control data from another server. The target must be empty. Servers that use the target cannot start until the
 * copy is complete.
 */
export interface ControlCopy {
  state(): Promise<"none" | "begun" | "complete">;

  /**
   * Begins a copy, or continues a copy from the same source.
   *
   * @param source digest of the copied data.
   * @throws StoreOpenError if the target has other data, or a copy from another source.
   */
  begin(source: string): Promise<void>;

  /** Adds records and their history. Keeps their revisions. Replaces records that an earlier attempt has added. */
  addRecords(records: readonly CopiedRecord[], history: readonly HistoryEntry[]): Promise<void>;

  historyLength(): Promise<number>;

  /** Completes the copy. From then on, servers can use the data. */
  complete(): Promise<void>;
}
