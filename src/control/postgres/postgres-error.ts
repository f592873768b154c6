import { StoreOutageError, StoreUnavailableError } from "../../model/store-error.js";

/**
 * The database has cancelled a statement because it conflicted with others. Nothing has changed, and the statement may
 * succeed if it is repeated immediately.
 */
export class RepeatableError extends StoreUnavailableError {}

/** Properties of a database error that may be logged. Other properties may contain data. */
export interface SafeError {
  readonly message: string;
  readonly code: string | undefined;
}

/** Reads the message and code of an error. The code is a system error code or an SQLSTATE. */
export function safeError(error: unknown): SafeError {
  // An AggregateError contains one error for each address of the host.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const { message, code } = Object(first ?? error) as { message?: unknown; code?: unknown };
  return { message: String(message), code: code === undefined ? undefined : String(code) };
}

/** Returns true if the timeout for responses was reached. The connection may be dead although it was not closed. */
export const isSilence = (error: unknown): boolean => safeError(error).message === "Query read timeout";

/**
 * Converts a database error. The result contains neither the cause nor its details, because they may contain connection
 * settings and values.
 *
 * @param place location of the database, for messages to operators.
 */
export function unavailable(what: string, place: string, error: unknown): StoreUnavailableError {
  const { message, code } = safeError(error);
  const text = `${what}: ${place}: ${message}${code === undefined ? "" : ` (${code})`}`;
  // These codes mean a serialization failure and a deadlock.
  if (code === "40001" || code === "40P01") return new RepeatableError(text);
  return isRejected(code) ? new StoreUnavailableError(text) : new StoreOutageError("PostgreSQL", text);
}

/**
 * Returns true if the database has rejected the statement. All other codes are system errors, connection errors (class
 * 08), exhausted resources (class 53), or a server that is stopping or starting (57P).
 */
const isRejected = (code: string | undefined): boolean =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|53|57P|EPIPE)/.test(code);
