import type { ParameterViolations } from "../../api/api-error.js";

/**
 * Parameters that every method accepts in addition to the fields of its request, as public APIs of this wire
 * format do.
 */
export interface SystemParameters {
  /** Fields of the response to send; `undefined` or empty for all. */
  fields?: string;
  prettyPrint?: boolean;
}

type Reader = (value: string, into: SystemParameters) => string | undefined;

const ignored: Reader = () => undefined;

const fields: Reader = (value, into) => {
  into.fields = value;
  return undefined;
};

/** Applies the value of each parameter; returns a description of valid values if the value is invalid. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["alt", (value) => (value === "json" ? undefined : 'must be "json"')],
  ["fields", fields],
  ["$fields", fields],
  [
    "prettyPrint",
    (value, into) => {
      if (value !== "true" && value !== "false") return 'must be "true" or "false"';
      into.prettyPrint = value === "true";
      return undefined;
    },
  ],
  ["$.xgafv", (value) => (value === "1" || value === "2" ? undefined : "must be 1 or 2")],
  ["key", ignored],
  ["quotaUser", ignored],
  ["uploadType", ignored],
  ["upload_protocol", ignored],
]);

const TOKEN_IN_URL = "a token in a URL ends in logs; send it in the Authorization header";

/** Parameters of the wire format that the server refuses, with the reasons. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["callback", "JSONP is not supported"],
  ["access_token", TOKEN_IN_URL],
  ["oauth_token", TOKEN_IN_URL],
]);

/**
 * Reads a system parameter.
 *
 * @param seen parameters that were read earlier, to detect repetitions; shared with the paths of request
 *   fields.
 * @returns false if there is no system parameter of that name.
 */
export function readSystemParameter(
  name: string,
  value: string,
  into: SystemParameters,
  seen: Set<string>,
  violations: ParameterViolations,
): boolean {
  const refusal = REFUSED.get(name);
  if (refusal !== undefined) {
    violations.add("PARAMETER_NOT_ALLOWED", name, refusal);
    return true;
  }
  const reader = READERS.get(name);
  if (reader === undefined) return false;
  // Paths of request fields contain no dollar sign.
  const identity = `$${reader === fields ? "fields" : name}`;
  if (seen.has(identity)) {
    violations.add("DUPLICATE_PARAMETER", name, "may be given once");
    return true;
  }
  seen.add(identity);
  const description = reader(value, into);
  if (description !== undefined) violations.add("INVALID_PARAMETER", name, description);
  return true;
}
