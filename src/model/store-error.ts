import type { EventNames } from "./names.js";

/** The store cannot be reached, is full or is closed. The same call may succeed later. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** Cluster databases. */
export type Database = "ClickHouse" | "PostgreSQL";

/** A database cannot be reached, or lacks servers. All calls fail until it recovers. */
export class StoreOutageError extends StoreUnavailableError {
  constructor(
    readonly database: Database,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The store's engine has failed permanently. It works again only after the store was closed and reopened. */
export class StoreBrokenError extends StoreUnavailableError {}

/** The store's files are damaged. Reads of the damaged data fail until an operator repairs them. */
export class StoreDamagedError extends StoreUnavailableError {}

/** The work is rejected because its lease has a later holder. The caller lost the lease without noticing. */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

/** The result has more groups than the query allows. */
export class TooManyGroupsError extends Error {
  override readonly name = "TooManyGroupsError";
}

/** The events exceed the project's limits on apps or labels. None of them was stored. */
export class TooManyNamesError extends Error {
  override readonly name = "TooManyNamesError";

  /** @param excess the new names beyond the limits. */
  constructor(readonly excess: EventNames) {
    super("the project would have more apps or labels than it may");
  }
}

/** The store cannot be opened until an operator fixes the cause. The message states it in one line. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}
