import type * as z from "zod";
import type { DayLedger } from "../control/day-ledger.js";
import type { LeaseStore } from "../control/lease-store.js";
import type { Clock } from "../model/clock.js";
import type { NameLimits } from "../model/names.js";
import type { UpgradePlan } from "../sql/migrations.js";
import type { Store } from "./store.js";

/** The environment that a server provides for its store. */
export interface StoreContext {
  /** Data directory of the server, for engines that keep files. */
  readonly directory: string;
  readonly clock: Clock;
  /** Shared day ledger, for engines that do not have their own. Omitted if the control engine has none either. */
  readonly days?: DayLedger | undefined;
  /** Leases for coordinating the processes that share a store. */
  readonly leases?: LeaseStore | undefined;
  readonly nameLimits?: NameLimits | undefined;
  /** Called when the engine has failed and the store reopens it. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * A store engine that the config key `store.engine` can select. `Options` has all keys of `store` for this engine.
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
 *   planUpgrade: async () => ({ name: "the memory", found: 1, supported: 1, changes: [] }),
 * } satisfies StoreEngine<z.output<typeof schema>>;
 * ```
 */
export interface StoreEngine<Options> {
  /** Value of `store.engine`. */
  readonly name: string;
  /** Schema of the config key `store`. In it, `engine` must be the literal {@link name}. */
  readonly schema: z.ZodType<Options>;
  /** True if the engine does not have its own day ledger, so that it needs {@link StoreContext.days}. */
  readonly needsLedger: boolean;

  /** Opens the store. Creates it on first use. @throws StoreOpenError if the store cannot be used. */
  open(options: Options, context: StoreContext): Promise<Store>;

  /**
   * Returns the changes that {@link open} would make to the schema. Changes nothing.
   *
   * @throws StoreOpenError if the store cannot be read.
   */
  planUpgrade(options: Options, context: Pick<StoreContext, "directory">): Promise<UpgradePlan>;
}
