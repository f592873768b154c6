import { printable } from "../../limits/excerpt.js";
import { MAX_EXCERPT } from "../../limits/limits.js";
import { isJsonObject } from "./page/known-fields.js";

/** The explanation in the body of a failure. */
export interface Explanation {
  /** One printable line without tokens; empty if there is nothing that can be understood. */
  readonly message: string;
  /** The names of reasons, separated by spaces. */
  readonly reasons: string;
}

/** A JWT (RFC 7519), or an access token of Google: services repeat the tokens that they refuse. */
const TOKENS = /\b(?:eyJ|ya29\.)[\w.-]+/g;

/**
 * Reads the error of a service (AIP-193) or of a token endpoint (RFC 6749 §5.2).
 *
 * @param json the body of an answer, parsed; anything.
 */
export function explanationOf(json: unknown): Explanation {
  const { error, error_description } = Object(json) as Record<string, unknown>;
  if (!isJsonObject(error)) return { message: lineOf([error, error_description]), reasons: "" };
  const { message, status, details, errors } = error;
  const causes = [details, errors].flatMap((list) => (Array.isArray(list) ? list : []));
  const reasons = [status, ...causes.map((cause) => Object(cause).reason)];
  return { message: lineOf([message]), reasons: reasons.filter(isText).join(" ") };
}

const lineOf = (parts: readonly unknown[]): string =>
  printable(parts.filter(isText).join(": ").replace(TOKENS, "…"), MAX_EXCERPT);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
