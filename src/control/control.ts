import type { z } from "zod";
import type { Clock } from "../model/clock.js";
import type { AppAttestConfigStore } from "./app-attest-config-store.js";
import type { OverriddenValue } from "./changed-configs.js";
import type { ControlCopy } from "./control-copy.js";
import type { DayLedger } from "./day-ledger.js";
import type { DocumentStore } from "./document-store.js";
import type { ChangeRecord } from "./file/change-record.js";
import type { JournalDamage } from "./file/read-journal.js";
import type { KeyStore } from "./key-store.js";
import type { LeaseStore } from "./lease-store.js";
import type { RegisteredProject } from "./project-registry.js";

/** Options of the configurations of {@link Control}. */
export interface ConfigsOptions {
  /** The registry, with the values that apply until they are changed. */
  readonly projects: readonly RegisteredProject[];
  /** Called when changes of other processes cannot be read; what was read before stays in effect. */
  readonly onFailure: (error: unknown) => void;
  /** Called with damaged records of changes. */
  readonly onDamage: (damage: readonly JournalDamage[]) => void;
}

/** Configurations, and what their changes have replaced. */
export interface Configs extends AppAttestConfigStore {
  /** Lists the registered values that changes have overridden with other values. */
  overridden(): OverriddenValue[];
}

/** The state that all processes of a server share. */
export interface Control {
  readonly keys: KeyStore;
  readonly leases: LeaseStore;
  /** What services remember. */
  readonly documents: DocumentStore;
  /** The days, for store engines that cannot keep them; missing if only such an engine can be used that does. */
  readonly days: DayLedger | undefined;
  /** The copy that fills these data; missing if they cannot be copied into. */
  readonly copy: ControlCopy | undefined;
  /**
   * Opens the configurations.
   *
   * @throws StoreOpenError if their changes cannot be read.
   */
  openConfigs(options: ConfigsOptions): Promise<Configs>;
  /** Reads all changes of configurations, oldest first. @throws an error of the system if that fails. */
  readConfigChanges(): Promise<readonly ChangeRecord[]>;
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
