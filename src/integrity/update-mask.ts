import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { ApiError, ParameterViolations } from "../api/api-error.js";
import { excerpt } from "../limits/excerpt.js";

/** The fields of a configuration that callers can change, by their names in the contract. */
const CHANGEABLE = new Set(["token_ttl"]);

/** Maps JSON names to those fields: callers over gRPC may use either. */
const BY_JSON_NAME = new Map([...CHANGEABLE].map((name) => [protoCamelCase(name), name]));

const FIELD = "updateMask";

/**
 * Validates the update mask of a change (AIP-134). Only one field can be changed, which makes every valid
 * mask select it.
 *
 * @returns the mask in ProtoJSON form, each field once, or `*` alone.
 * @throws ApiError `INVALID_ARGUMENT` that says which paths are wrong.
 */
export function checkUpdateMask(mask: FieldMask | undefined): string {
  const paths = new Set(mask?.paths.map((path) => BY_JSON_NAME.get(path) ?? path));
  if (paths.size === 0) {
    const description = "is required: name the fields to change, such as tokenTtl, or * for all";
    throw ApiError.invalidArgument("UPDATE_MASK_MISSING", FIELD, description);
  }
  const violations = new ParameterViolations();
  for (const path of paths) {
    if (path === "*" || CHANGEABLE.has(path)) continue;
    if (path === "name") violations.add("IMMUTABLE_FIELD", FIELD, "name cannot be changed");
    else if (path === "etag") {
      violations.add(
        "OUTPUT_ONLY_FIELD",
        FIELD,
        "etag cannot be set; send it with the configuration, not here",
      );
    } else violations.add("UNKNOWN_FIELD", FIELD, `there is no field ${shown(path)}; use tokenTtl or *`);
  }
  violations.throwIfAny();
  return paths.has("*") ? "*" : [...paths].map(protoCamelCase).join();
}

/** Quotes a path, followed by its JSON name if that differs: the caller may have sent either. */
function shown(path: string): string {
  const short = excerpt(path);
  const jsonName = protoCamelCase(short);
  return JSON.stringify(short) + (jsonName === short ? "" : ` (${JSON.stringify(jsonName)})`);
}
