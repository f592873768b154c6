import type { EncodedEntity } from "./encoded-entity.js";
import { entityTagsIn, isTagOf } from "./entity-tag.js";

/**
 * Whether an `If-None-Match` header names the entity, in whatever coding it was sent. The comparison is weak
 * (RFC 9110 §13.1.2).
 */
export function matchesEntityTag(header: string, entity: EncodedEntity): boolean {
  if (header.trim() === "*") return true;
  for (const tag of entityTagsIn(header)) {
    if (isTagOf(tag, entity.etag)) return true;
  }
  return false;
}
