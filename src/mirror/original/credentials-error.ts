import { printable } from "../../limits/excerpt.js";
import { MAX_EXCERPT } from "../../limits/limits.js";
import { faultCode } from "../../outgoing/fault-code.js";
import { explanationOf } from "./explanation.js";
import { OriginalError } from "./original.js";

/** An error of the library's requests; `response` is missing if there was no answer. */
interface RequestError {
  readonly config: unknown;
  readonly response?: { readonly status: number; readonly data: unknown };
}

/**
 * Tells why there is no access token. The error of the library is not passed on: it has the request in it, and with it the
 * credentials.
 */
export function credentialsError(error: unknown): OriginalError {
  if (error instanceof OriginalError) return error;
  if (isRequestError(error))
    return error.response === undefined ? unreachable(error) : refused(error.response);
  // The library takes the fields that it needs from any answer.
  if (error instanceof TypeError) {
    return new OriginalError("unavailable", "the answer of the token endpoint cannot be understood");
  }
  return new OriginalError("credentials", `the credentials cannot be used: ${reasonOf(error)}`);
}

const isRequestError = (error: unknown): error is RequestError =>
  error instanceof Error && "config" in error && error.config !== undefined;

const unreachable = (error: unknown): OriginalError =>
  new OriginalError("unavailable", `the token endpoint cannot be reached: ${faultCode(error)}`);

function refused({ status, data }: NonNullable<RequestError["response"]>): OriginalError {
  const isTemporary = status === 408 || status === 429 || status >= 500;
  const { message } = explanationOf(data);
  return new OriginalError(
    isTemporary ? "unavailable" : "credentials",
    `no access token: HTTP status ${status}${message === "" ? "" : `: ${message}`}`,
  );
}

/** The library's own sentences; those of a JSON parser quote what it reads. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof SyntaxError)
    ? printable(error.message, MAX_EXCERPT)
    : "a file is not JSON";
