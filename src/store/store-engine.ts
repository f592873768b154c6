import type { z } from "zod";
import type { DayLedger } from "../control/day-ledger.js";
import type { LeaseStore } from "../control/lease-store.js";
import type { Clock } from "../model/clock.js";
import type { NameLimits } from "../model/names.js";
import type { Store } from "./store.js";

/** The surroundings of a store. */
export interface StoreContext {
  /** The data directory, for engines that keep files. */
  readonly directory: string;
  readonly clock: Clock;
  /** The shared ledger of days, for engines that keep none; missing if `control.engine` keeps none either. */
  readonly days?: DayLedger | undefined;
  /** Leases by which processes that share a store agree on who does a piece of work. */
  readonly leases?: LeaseStore | undefined;
  readonly nameLimits?: NameLimits | undefined;
  /** Called with each failure of an engine that the store then reopens. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * An engine that can be chosen by the key `store.engine` of the configuration. `Options` are all keys of
 * `store` for this engine.
 *
 * @example
 * ```ts
 * const schema = z.strictObject({ engine: z.literal("memory"), maxEvents: z.number().int().min(1) });
 *
 * export const MEMORY_ENGINE = {
 *   name: "memory",
 *   schema,
 *   needsLedger: false,
 *   open: async ({ maxEvents }, { clock }) => new MemoryStore(maxEvents, clock),
 * } satisfies StoreEngine<z.output<typeof schema>>;
 * ```
 */
export interface StoreEngine<Options> {
  /** Value of `store.engine`. */
  readonly name: string;
  /** Schema of `store`, whose key `engine` is the literal {@link name}. */
  readonly schema: z.ZodType<Options>;
  /** True if it keeps no days itself, and needs {@link StoreContext.days}. */
  readonly needsLedger: boolean;

  /**
   * Opens the store, and makes it on first use.
   *
   * @throws StoreOpenError if it cannot be used.
   */
  open(options: Options, context: StoreContext): Promise<Store>;
}
