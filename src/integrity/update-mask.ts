import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../api/api-error.js";
import { ParameterFaults } from "../api/parameter-faults.js";
import { excerpt } from "../limits/excerpt.js";

/** The fields of a configuration that can be changed, by their names in the contract. */
const CHANGEABLE = new Set(["token_ttl"]);

/** Their names in JSON, which callers by gRPC may take from there. */
const BY_JSON_NAME = new Map([...CHANGEABLE].map((name) => [protoCamelCase(name), name]));

const FIELD = "updateMask";

/**
 * Checks which fields of a configuration a change is about (AIP-134). There is one that can be changed, so every mask that
 * is valid means that one.
 *
 * @returns the mask as text, as ProtoJSON has it: each field once, `*` alone.
 * @throws ApiError `INVALID_ARGUMENT` that says which paths are wrong.
 */
export function checkUpdateMask(mask: FieldMask | undefined): string {
  const paths = new Set(mask?.paths.map((path) => BY_JSON_NAME.get(path) ?? path));
  if (paths.size === 0) {
    const description = "is required: name the fields to change, such as tokenTtl, or * for all";
    throw ApiError.invalidArgument("UPDATE_MASK_MISSING", FIELD, description);
  }
  const faults = new ParameterFaults();
  for (const path of paths) {
    if (path === "*" || CHANGEABLE.has(path)) continue;
    if (path === "name") faults.add("IMMUTABLE_FIELD", FIELD, "name cannot be changed");
    else if (path === "etag") {
      faults.add("OUTPUT_ONLY_FIELD", FIELD, "etag cannot be set; send it with the configuration, not here");
    } else faults.add("UNKNOWN_FIELD", FIELD, `there is no field ${shown(path)}; use tokenTtl or *`);
  }
  faults.throwIfAny();
  return paths.has("*") ? "*" : [...paths].map(protoCamelCase).join();
}

/** A path by its name in the contract, and as it is in JSON where that is another: the caller wrote either. */
function shown(path: string): string {
  const short = excerpt(path);
  const jsonName = protoCamelCase(short);
  return JSON.stringify(short) + (jsonName === short ? "" : ` (${JSON.stringify(jsonName)})`);
}
