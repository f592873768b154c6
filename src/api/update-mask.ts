import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { excerpt } from "../limits/excerpt.js";
import { ApiError, ParameterViolations } from "./api-error.js";

const FIELD = "updateMask";

/** Fields of a resource that an update mask may name, by their names in the contract. */
export interface MaskFields {
  readonly changeable: readonly [string, ...string[]];
  readonly immutable: readonly string[];
  readonly outputOnly: readonly string[];
}

/**
 * Reads an update mask (AIP-134). Paths may use JSON names.
 *
 * @param isRequired false to accept an empty mask.
 * @returns the selected fields that can be changed, without duplicates. `*` selects all of them; an empty mask selects
 * none.
 * @throws ApiError `INVALID_ARGUMENT` with a violation for each invalid path.
 */
export function readUpdateMask(
  mask: FieldMask | undefined,
  { changeable, immutable, outputOnly }: MaskFields,
  isRequired: boolean,
): ReadonlySet<string> {
  const names = new Map(
    [...changeable, ...immutable, ...outputOnly].map((name) => [protoCamelCase(name), name]),
  );
  const paths = new Set(mask?.paths.map((path) => names.get(path) ?? path));
  const [first] = changeable;
  if (paths.size === 0 && isRequired) {
    const description = `is required: name the fields to change, such as ${protoCamelCase(first)}, or * for all`;
    throw ApiError.invalidArgument("UPDATE_MASK_MISSING", FIELD, description);
  }
  const violations = new ParameterViolations();
  for (const path of paths) {
    if (path === "*" || changeable.includes(path)) continue;
    if (immutable.includes(path)) {
      violations.add("IMMUTABLE_FIELD", FIELD, `${protoCamelCase(path)} cannot be changed`);
    } else if (outputOnly.includes(path)) {
      const jsonName = protoCamelCase(path);
      const hint = path === "etag" ? "; send it with the resource, not here" : "";
      violations.add("OUTPUT_ONLY_FIELD", FIELD, `${jsonName} cannot be set${hint}`);
    } else {
      const known = changeable.map(protoCamelCase).join(", ");
      violations.add("UNKNOWN_FIELD", FIELD, `there is no field ${shown(path)}; use ${known} or *`);
    }
  }
  violations.throwIfAny();
  return new Set(paths.has("*") ? changeable : paths);
}

/** Quotes a path, followed by its JSON name if that differs, because the caller may have sent either. */
function shown(path: string): string {
  const short = excerpt(path);
  const jsonName = protoCamelCase(short);
  return JSON.stringify(short) + (jsonName === short ? "" : ` (${JSON.stringify(jsonName)})`);
}
