import {
  FencedError,
  StoreOutageError,
  StoreUnavailableError,
  TooManyGroupsError,
} from "../../model/store-error.js";

/** Error code: the replica does not have all acknowledged rows. */
const REPLICA_IS_NOT_IN_QUORUM = 289;

/** Error codes for broken connections between servers. */
const BROKEN_BETWEEN_SERVERS = new Set([
  32, // ATTEMPT_TO_READ_AFTER_EOF
  101, // UNEXPECTED_PACKET_FROM_CLIENT: the server reused a connection on which an insert had failed halfway
  102, // UNEXPECTED_PACKET_FROM_SERVER: the other server noticed the same reuse
  210, // NETWORK_ERROR
]);

/** Error code: another insert on the same shard is waiting for its quorum. */
const UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE = 286;

/** Error codes for temporary problems. */
const PASSING = new Set([
  ...BROKEN_BETWEEN_SERVERS,
  164, // READONLY: a replica is not active yet after its start
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  209, // SOCKET_TIMEOUT
  225, // NO_ZOOKEEPER
  242, // TABLE_IS_READ_ONLY: ZooKeeper is unavailable
  244, // UNEXPECTED_ZOOKEEPER_ERROR: a replica became unavailable during an insert
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED: no replica of a shard responds
  285, // TOO_FEW_LIVE_REPLICAS
  UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE,
  REPLICA_IS_NOT_IN_QUORUM,
  319, // UNKNOWN_STATUS_OF_INSERT
  999, // KEEPER_EXCEPTION
]);

/** System error codes for broken connections. The server is unavailable, or has closed an idle connection. */
const BROKEN = new Set(["ECONNRESET", "EPIPE"]);

/** System error codes for failed connections. Another server may be reachable. */
const NOT_CONNECTED = new Set([
  ...BROKEN,
  "ECONNREFUSED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Error codes for a column that already exists. */
const KNOWN_COLUMN = new Set([
  15, // DUPLICATE_COLUMN
  44, // ILLEGAL_COLUMN, in 18.16
]);

/** Error code: a server has not completed a statement on the whole cluster in time. It continues in the background. */
const TIMEOUT_EXCEEDED = 159;

/** Error code: the result has too many groups. */
const TOO_MANY_ROWS = 158;

/** Returns the engine's error code. Returns `undefined` for other errors. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  // Older engines include the code only in the error message.
  const code = "code" in error ? String(error.code) : /^Code: (\d+)/.exec(error.message)?.[1];
  return code !== undefined && /^\d+$/.test(code) ? Number(code) : undefined;
}

/** Returns true if there was no response, because the server is unavailable or the connection failed. */
export const hasNoResponse = (error: unknown): boolean =>
  error instanceof Error &&
  (isOneOf(NOT_CONNECTED, error) || /socket hang up|timeout error/i.test(error.message));

/** Returns true if a connection has broken during the response, either to a server or between servers. */
export const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (isOneOf(BROKEN, error) || BROKEN_BETWEEN_SERVERS.has(codeOf(error) ?? Number.NaN));

const isOneOf = (codes: ReadonlySet<string>, error: Error): boolean =>
  "code" in error && codes.has(String(error.code));

/** Returns the engine error from which {@link orUnavailable} has created an error. */
const engineErrorOf = (error: unknown): unknown =>
  error instanceof StoreUnavailableError ? (error.cause ?? error) : error;

/** Returns true if the error is temporary, so that the same statement may succeed soon. */
export const isPassing = (error: unknown): boolean =>
  hasNoResponse(engineErrorOf(error)) || PASSING.has(codeOf(engineErrorOf(error)) ?? Number.NaN);

/** Returns true if the insert may succeed when another insert has reached its quorum. */
export const isQuorumAwaited = (error: unknown): boolean =>
  codeOf(engineErrorOf(error)) === UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE;

/** Returns true if the replica lacks acknowledged rows, which another replica has. */
export const isBehind = (error: unknown): boolean => codeOf(error) === REPLICA_IS_NOT_IN_QUORUM;

/** Returns true if a column to add already exists. */
export const isKnownColumn = (error: unknown): boolean => KNOWN_COLUMN.has(codeOf(error) ?? Number.NaN);

/** Returns true if a server needs more time for a statement on the whole cluster. The statement may be repeated. */
export const isStillRunning = (error: unknown): boolean => codeOf(error) === TIMEOUT_EXCEEDED;

/** Returns true if there were more groups than the limit. */
export const isTooManyRows = (error: unknown): boolean => codeOf(error) === TOO_MANY_ROWS;

/**
 * Calls `work`, and converts engine errors to errors that services handle.
 *
 * @throws the abort reason of `signal`, if it has aborted.
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
