import type { ParameterViolations } from "../../api/api-error.js";

/** Parameters that every method accepts, as public APIs of this wire format do. */
export interface SystemParameters {
  /** Response fields to send; `undefined` or empty for all. */
  fields?: string;
  prettyPrint?: boolean;
}

type Reader = (value: string, into: SystemParameters) => string | undefined;

const ignored: Reader = () => undefined;

const fields: Reader = (value, into) => {
  into.fields = value;
  return undefined;
};

/** Functions that apply a value. They return a description of valid values if it is invalid. */
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

const TOKEN_IN_URL = "tokens in URLs appear in logs; send the token in the Authorization header";

/** Unsupported parameters of the wire format, with the reasons. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["callback", "JSONP is not supported"],
  ["access_token", TOKEN_IN_URL],
  ["oauth_token", TOKEN_IN_URL],
]);

/**
 * Reads a system parameter.
 *
 * @param seen earlier parameters, to detect repetitions. Also contains the paths of request fields.
 * @returns false if the name is not a system parameter.
 */
export function readSystemParameter(
  name: string,
  value: string,
  into: SystemParameters,
  seen: Set<string>,
  violations: ParameterViolations,
): boolean {
  const rejection = REFUSED.get(name);
  if (rejection !== undefined) {
    violations.add("PARAMETER_NOT_ALLOWED", name, rejection);
    return true;
  }
  const reader = READERS.get(name);
  if (reader === undefined) return false;
  // Paths of request fields contain no dollar sign.
  const identity = `$${reader === fields ? "fields" : name}`;
  if (seen.has(identity)) {
    violations.add("DUPLICATE_PARAMETER", name, "must not be repeated");
    return true;
  }
  seen.add(identity);
  const description = reader(value, into);
  if (description !== undefined) violations.add("INVALID_PARAMETER", name, description);
  return true;
}
