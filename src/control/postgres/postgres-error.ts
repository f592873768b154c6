import { StoreOutageError, StoreUnavailableError } from "../../model/store-error.js";

/** The database ended a statement that met others. Nothing has changed; the same statement may succeed at once. */
export class RepeatableError extends StoreUnavailableError {}

/** The message and code of an error of the database. Its other properties may hold data and are not logged. */
export interface ToldError {
  readonly message: string;
  readonly code: string | undefined;
}

/** Reads the message and the code of an error, which is that of a system call or a SQLSTATE. */
export function toldError(error: unknown): ToldError {
  // Attempts to several addresses of one host fail together, with an error for each.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const { message, code } = Object(first ?? error) as { message?: unknown; code?: unknown };
  return { message: String(message), code: code === undefined ? undefined : String(code) };
}

/** True if no answer came in time: the connection may be dead without being closed. */
export const isSilence = (error: unknown): boolean => toldError(error).message === "Query read timeout";

/**
 * Turns an error of the database into one that callers may repeat. It keeps neither the error nor its details, since
 * these refer to the connection and to values.
 *
 * @param place names the database for operators.
 */
export function unavailable(what: string, place: string, error: unknown): StoreUnavailableError {
  const { message, code } = toldError(error);
  const text = `${what}: ${place}: ${message}${code === undefined ? "" : ` (${code})`}`;
  // A serialization failure, or a deadlock.
  if (code === "40001" || code === "40P01") return new RepeatableError(text);
  return isRejected(code) ? new StoreUnavailableError(text) : new StoreOutageError("PostgreSQL", text);
}

/**
 * Returns true for the SQLSTATE of a statement that the server has rejected. Other codes are those of system calls, of
 * connections (class 08), of a server without connections to spare (class 53), and of one that stops or starts (57P).
 */
const isRejected = (code: string | undefined): boolean =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|53|57P|EPIPE)/.test(code);
