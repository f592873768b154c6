import { StoreOutageError, StoreUnavailableError } from "../../model/store-error.js";

/**
 * The database cancelled a statement that conflicted with others. Nothing has changed, and a retry may succeed
 * immediately.
 */
export class RepeatableError extends StoreUnavailableError {}

/** The safe parts of a database error. Other properties may contain data and are not logged. */
export interface SafeError {
  readonly message: string;
  readonly code: string | undefined;
}

/** Reads an error's message and code. The code is a system error code or an SQLSTATE. */
export function safeError(error: unknown): SafeError {
  // An AggregateError has one error for each address of the host.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const { message, code } = Object(first ?? error) as { message?: unknown; code?: unknown };
  return { message: String(message), code: code === undefined ? undefined : String(code) };
}

/** Returns true after a response timeout. The connection may be dead without being closed. */
export const isSilence = (error: unknown): boolean => safeError(error).message === "Query read timeout";

/**
 * Converts a database error. The result omits the cause and its details, which may contain connection settings and
 * values.
 *
 * @param place location of the database, for operators.
 */
export function unavailable(what: string, place: string, error: unknown): StoreUnavailableError {
  const { message, code } = safeError(error);
  const text = `${what}: ${place}: ${message}${code === undefined ? "" : ` (${code})`}`;
  // A serialization failure, or a deadlock.
  if (code === "40001" || code === "40P01") return new RepeatableError(text);
  return isRejected(code) ? new StoreUnavailableError(text) : new StoreOutageError("PostgreSQL", text);
}

/**
 * Returns true if the database rejected the statement. Other codes are system errors, connection errors (class 08),
 * exhausted resources (class 53), and a server that stops or starts (57P).
 */
const isRejected = (code: string | undefined): boolean =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|53|57P|EPIPE)/.test(code);
