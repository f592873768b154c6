import { entityTagsIn, isTagOf } from "./entity-tag.js";

/**
 * Whether an `If-Match` header names one of the tags of something that exists, in whatever coding it was sent. The
 * comparison is strong: weak tags match nothing (RFC 9110 §13.1.1).
 *
 * @param etags strong tags, with their quotes.
 */
export function satisfiesIfMatch(header: string, etags: readonly string[]): boolean {
  if (header.trim() === "*") return true;
  for (const tag of entityTagsIn(header)) {
    if (!tag.weak && etags.some((etag) => isTagOf(tag, etag))) return true;
  }
  return false;
}
