import type { EventNames } from "./names.js";

/** The store is unreachable, full or closed. The same call may succeed later. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** Databases that a cluster uses. */
export type Database = "ClickHouse" | "PostgreSQL";

/** A database is unreachable, or has too few servers. All calls fail until it recovers. */
export class StoreOutageError extends StoreUnavailableError {
  constructor(
    readonly database: Database,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The store's engine has failed permanently. Only closing and reopening the store helps. */
export class StoreBrokenError extends StoreUnavailableError {}

/** The store's files are damaged. Reads of the damaged data fail until an operator repairs them. */
export class StoreDamagedError extends StoreUnavailableError {}

/** The caller's lease has expired and another process holds it now, so the store rejects the caller's write. */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

/** The result has more groups than the query allows. */
export class TooManyGroupsError extends Error {
  override readonly name = "TooManyGroupsError";
}

/** The events would exceed the project's limits on apps or labels. None of them was stored. */
export class TooManyNamesError extends Error {
  override readonly name = "TooManyNamesError";

  /** @param excess the new names that exceed the limits. */
  constructor(readonly excess: EventNames) {
    super("the project would have more apps or labels than it may");
  }
}

/** The store cannot be opened until an operator fixes the cause. The message describes the cause in one line. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}
