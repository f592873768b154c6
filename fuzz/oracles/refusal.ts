import { ok } from "node:assert/strict";
import { ApiError } from "../../src/api/api-error.js";

/** A refusal is no longer than this, in characters, however long the input was. */
const MAX_MESSAGE = 16 * 1024;

/** The refusal of an input. @throws if it was taken, if anything but a refusal was thrown, or if that is malformed. */
export function refusalOf(attempt: () => unknown): ApiError {
  const outcome = outcomeOf(attempt);
  if (outcome instanceof ApiError) return outcome;
  throw new Error(`took what it must refuse: ${JSON.stringify(outcome)?.slice(0, 200)}`);
}

/** What an attempt returns, or how it was refused. @throws whatever else is thrown. */
export function outcomeOf<T>(attempt: () => T): T | ApiError {
  try {
    return attempt();
  } catch (error) {
    return checkRefusal(error);
  }
}

/** Checks that what was thrown is the caller's fault, and says so in few words. @throws it if it is anything else. */
export function checkRefusal(error: unknown): ApiError {
  if (!(error instanceof ApiError)) throw error;
  const { httpStatus, message, reason, violations } = error;
  ok(httpStatus >= 400 && httpStatus < 500, `${httpStatus} ${reason}: ${message}`);
  ok(/^[A-Z][A-Z0-9_]*$/.test(reason), `a reason of ${reason}`);
  ok(message.length <= MAX_MESSAGE, `a message of ${message.length} characters`);
  for (const { field, description } of violations) ok(field !== "" && description !== "", message);
  return error;
}
