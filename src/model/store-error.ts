/** The store cannot be reached, is full or is closed. The same call may succeed later. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** The store's engine has failed for good: it works again once the store is closed and opened anew. */
export class StoreBrokenError extends StoreUnavailableError {}

/** The store's files do not hold what was written: whatever of them is asked for fails until a person mends them. */
export class StoreDamagedError extends StoreUnavailableError {}

/** There are more groups than the query allows. */
export class TooManyGroupsError extends Error {
  override readonly name = "TooManyGroupsError";
}

/** The store cannot be opened, for a reason that a person has to mend; the message is one clear line. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}
