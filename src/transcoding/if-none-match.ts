import type { EncodedJson } from "./encoded-json.js";

const ENTITY_TAG = /"([^"]*)"/g;
const CODING_SUFFIX = /-(?:br|gzip)$/;

/**
 * Whether an `If-None-Match` header names the entity, in whatever coding it was sent. The comparison is weak
 * (RFC 9110 §13.1.2).
 */
export function matchesEntityTag(header: string, entity: EncodedJson): boolean {
  if (header.trim() === "*") return true;
  for (const [, tag = ""] of header.matchAll(ENTITY_TAG)) {
    if (entity.etag === `"${tag.replace(CODING_SUFFIX, "")}"`) return true;
  }
  return false;
}
