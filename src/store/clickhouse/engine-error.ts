import {
  FencedError,
  StoreOutageError,
  StoreUnavailableError,
  TooManyGroupsError,
} from "../../model/store-error.js";

/** Number of the engine's error for a replica that lacks acknowledged rows. */
const REPLICA_IS_NOT_IN_QUORUM = 289;

/** Numbers of the engine's errors for a connection between servers that broke. */
const BROKEN_BETWEEN_SERVERS = new Set([
  32, // ATTEMPT_TO_READ_AFTER_EOF
  210, // NETWORK_ERROR
]);

/** Number of the engine's error for a shard on which another insert waits for its quorum. */
const UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE = 286;

/** Numbers of the engine's errors that a further attempt may not meet, with their names. */
const PASSING = new Set([
  ...BROKEN_BETWEEN_SERVERS,
  164, // READONLY: a replica that has just started is not active yet
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  209, // SOCKET_TIMEOUT
  225, // NO_ZOOKEEPER
  242, // TABLE_IS_READ_ONLY: ZooKeeper is away
  244, // UNEXPECTED_ZOOKEEPER_ERROR: a replica went away during an insert
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED: no replica of a shard answers
  285, // TOO_FEW_LIVE_REPLICAS
  UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE,
  REPLICA_IS_NOT_IN_QUORUM,
  319, // UNKNOWN_STATUS_OF_INSERT
  999, // KEEPER_EXCEPTION
]);

/** Errors of connections that break: the server may have closed them as they were idle, or is gone. */
const BROKEN = new Set(["ECONNRESET", "EPIPE"]);

/** Errors of connections to a server: another server may answer. */
const NOT_CONNECTED = new Set([
  ...BROKEN,
  "ECONNREFUSED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Numbers of the engine's errors for a column that a table has already. */
const KNOWN_COLUMN = new Set([
  15, // DUPLICATE_COLUMN
  44, // ILLEGAL_COLUMN, in 18.16
]);

/** Number of the engine's error for too many groups. */
const TOO_MANY_ROWS = 158;

/** Returns the number of an error of the engine; `undefined` for other errors. */
export function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  // Older engines have the number only in the text.
  const code = "code" in error ? String(error.code) : /^Code: (\d+)/.exec(error.message)?.[1];
  return code !== undefined && /^\d+$/.test(code) ? Number(code) : undefined;
}

/** Returns true if there was no answer: the server is gone, or the connection to it broke or hangs. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error &&
  (isOneOf(NOT_CONNECTED, error) || /socket hang up|timeout error/i.test(error.message));

/** Returns true if a connection broke before the answer was complete: to a server, or between servers. */
export const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (isOneOf(BROKEN, error) || BROKEN_BETWEEN_SERVERS.has(codeOf(error) ?? Number.NaN));

const isOneOf = (codes: ReadonlySet<string>, error: Error): boolean =>
  "code" in error && codes.has(String(error.code));

/** The error of the engine behind one of {@link orUnavailable}. */
const engineErrorOf = (error: unknown): unknown =>
  error instanceof StoreUnavailableError ? (error.cause ?? error) : error;

/** Returns true if the same statement may succeed soon. */
export const isPassing = (error: unknown): boolean =>
  isUnanswered(engineErrorOf(error)) || PASSING.has(codeOf(engineErrorOf(error)) ?? Number.NaN);

/** Returns true if another insert waits for its quorum, after which the same insert may succeed. */
export const isQuorumAwaited = (error: unknown): boolean =>
  codeOf(engineErrorOf(error)) === UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE;

/** Returns true if the replica that was asked lacks acknowledged rows; another one has them. */
export const isBehind = (error: unknown): boolean => codeOf(error) === REPLICA_IS_NOT_IN_QUORUM;

/** Returns true if a table has a column already that a statement would add. */
export const isKnownColumn = (error: unknown): boolean => KNOWN_COLUMN.has(codeOf(error) ?? Number.NaN);

/** Returns true if a statement had more groups than it was allowed. */
export const isTooManyRows = (error: unknown): boolean => codeOf(error) === TOO_MANY_ROWS;

/**
 * Runs `work` and translates errors of the engine to those that the services know.
 *
 * @throws the reason of `signal` if it has aborted.
 */
export async function orUnavailable<T>(
  what: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (
      cause instanceof StoreUnavailableError ||
      cause instanceof TooManyGroupsError ||
      cause instanceof FencedError
    )
      throw cause;
    signal?.throwIfAborted();
    const message = `${what} failed`;
    if (isPassing(cause)) throw new StoreOutageError("ClickHouse", message, { cause });
    throw new StoreUnavailableError(message, { cause });
  }
}
