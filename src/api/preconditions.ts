import type { IncomingHttpHeaders } from "node:http";

/** The headers by which a request depends on the state of what it is for (RFC 9110 §13.1). */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Those of a request that has none, as by a protocol that knows none. */
export const NO_PRECONDITIONS: Preconditions = { ifMatch: undefined, ifNoneMatch: undefined };

/** Those of a request by HTTP. */
export function preconditionsOf(headers: IncomingHttpHeaders): Preconditions {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  return ifMatch === undefined && ifNoneMatch === undefined ? NO_PRECONDITIONS : { ifMatch, ifNoneMatch };
}

/**
 * Finds the first header that does not hold for something that exists, in the order of RFC 9110 §13.2.2. Tags match in
 * whatever coding the entity was sent.
 *
 * @param etags strong tags, with their quotes; each stands for the state as it is.
 */
export function failedPrecondition(
  { ifMatch, ifNoneMatch }: Preconditions,
  etags: readonly string[],
): "If-Match" | "If-None-Match" | undefined {
  if (ifMatch !== undefined && !names(ifMatch, etags, "strong")) return "If-Match";
  if (ifNoneMatch !== undefined && names(ifNoneMatch, etags, "weak")) return "If-None-Match";
  return undefined;
}

/** Whether a header names one of the tags. In a strong comparison, weak tags match nothing (RFC 9110 §8.8.3.2). */
function names(header: string, etags: readonly string[], comparison: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true;
  for (const tag of entityTagsIn(header)) {
    if (comparison === "strong" && tag.weak) continue;
    if (etags.some((etag) => isTagOf(tag, etag))) return true;
  }
  return false;
}

/** A tag in a header such as `If-Match` (RFC 9110 §8.8.3). */
export interface EntityTag {
  readonly weak: boolean;
  /** With its quotes. */
  readonly opaque: string;
}

const ENTITY_TAG = /(W\/)?("[^"]*")/gi;
const CODING_SUFFIX = /-(?:br|gzip)"$/;

/** The tags of a header that lists them. */
export function* entityTagsIn(header: string): Generator<EntityTag> {
  for (const [, weak, opaque = ""] of header.matchAll(ENTITY_TAG)) {
    yield { weak: weak !== undefined, opaque };
  }
}

/** Whether a tag stands for an entity, whatever coding its bytes were sent in (`EncodedEntity.etagOf`). */
export function isTagOf({ opaque }: EntityTag, etag: string): boolean {
  return opaque === etag || opaque.replace(CODING_SUFFIX, '"') === etag;
}
