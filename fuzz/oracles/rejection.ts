import { ok } from "node:assert/strict";
import { ApiError } from "../../src/api/api-error.js";

/** Maximum length of an error message in characters, for inputs of any length. */
const MAX_MESSAGE = 16 * 1024;

/**
 * The error that rejects an input. @throws if the input is accepted, or fails otherwise, or the error is
 * malformed.
 */
export function rejectionOf(attempt: () => unknown): ApiError {
  const outcome = outcomeOf(attempt);
  if (outcome instanceof ApiError) return outcome;
  throw new Error(`accepted an invalid input: ${JSON.stringify(outcome)?.slice(0, 200)}`);
}

/** An attempt's result, or the error that rejects it. @throws any other error. */
export function outcomeOf<T>(attempt: () => T): T | ApiError {
  try {
    return attempt();
  } catch (error) {
    return checkRejection(error);
  }
}

/**
 * Checks that an error blames the caller and has a short message. @throws the error itself if it is of
 * another kind.
 */
export function checkRejection(error: unknown): ApiError {
  if (!(error instanceof ApiError)) throw error;
  const { httpStatus, message, reason, violations } = error;
  ok(httpStatus >= 400 && httpStatus < 500, `${httpStatus} ${reason}: ${message}`);
  ok(/^[A-Z][A-Z0-9_]*$/.test(reason), `a reason of ${reason}`);
  ok(message.length <= MAX_MESSAGE, `a message of ${message.length} characters`);
  for (const { field, description } of violations) ok(field !== "" && description !== "", message);
  return error;
}
