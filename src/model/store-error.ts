import type { EventNames } from "./names.js";

/** The store cannot be reached, is full or is closed. The same call may succeed later. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** The databases of a cluster. */
export type Database = "ClickHouse" | "PostgreSQL";

/** A database cannot be reached, or lacks servers: calls succeed again once that ends, whatever they are about. */
export class StoreOutageError extends StoreUnavailableError {
  constructor(
    readonly database: Database,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The store's engine has failed permanently: it works again only after the store is closed and reopened. */
export class StoreBrokenError extends StoreUnavailableError {}

/** The store's files are damaged: reads of the damaged data fail until an operator repairs them. */
export class StoreDamagedError extends StoreUnavailableError {}

/**
 * The work is refused because a later holder of its lease has begun: the caller lost the lease without noticing.
 */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

/** The result has more groups than the query allows. */
export class TooManyGroupsError extends Error {
  override readonly name = "TooManyGroupsError";
}

/** The events would give their project more apps or labels than it may have. None of them are stored. */
export class TooManyNamesError extends Error {
  override readonly name = "TooManyNamesError";

  /** @param excess the new names that the project has no room for. */
  constructor(readonly excess: EventNames) {
    super("the project would have more apps or labels than it may");
  }
}

/** The store cannot be opened until an operator fixes the cause, which the message states in one line. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}
