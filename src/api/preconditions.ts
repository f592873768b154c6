import type { IncomingHttpHeaders } from "node:http";
import { headerMismatch } from "./errors.js";

/** Preconditions in request headers (RFC 9110 §13.1). */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** For requests without preconditions, and for protocols that cannot carry any. */
export const NO_PRECONDITIONS: Preconditions = { ifMatch: undefined, ifNoneMatch: undefined };

export function preconditionsOf(headers: IncomingHttpHeaders): Preconditions {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  return ifMatch === undefined && ifNoneMatch === undefined ? NO_PRECONDITIONS : { ifMatch, ifNoneMatch };
}

/**
 * Finds the first header with a precondition that the existing resource does not meet, in the order of RFC 9110
 * §13.2.2. A tag matches if the entity has it in any content coding.
 *
 * @param etags strong tags of the current state, with quotes.
 */
export function failedPrecondition(
  { ifMatch, ifNoneMatch }: Preconditions,
  etags: readonly string[],
): "If-Match" | "If-None-Match" | undefined {
  if (ifMatch !== undefined && !names(ifMatch, etags, "strong")) return "If-Match";
  if (ifNoneMatch !== undefined && names(ifNoneMatch, etags, "weak")) return "If-None-Match";
  return undefined;
}

/**
 * Checks preconditions for a call other than GET.
 *
 * @param etags strong tags of the current state, with quotes.
 * @param name names the resource in the error.
 * @throws ApiError `ETAG_MISMATCH` (412).
 */
export function checkPreconditions(
  preconditions: Preconditions,
  etags: readonly string[],
  name: string,
): void {
  const failed = failedPrecondition(preconditions, etags);
  if (failed !== undefined) throw headerMismatch(name, failed);
}

/** Returns true if a header lists one of the tags. Weak tags never match in a strong comparison (RFC 9110 §8.8.3.2). */
function names(header: string, etags: readonly string[], comparison: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true;
  for (const tag of entityTagsIn(header)) {
    if (comparison === "strong" && tag.weak) continue;
    if (etags.some((etag) => isTagOf(tag, etag))) return true;
  }
  return false;
}

/** An entity tag in a header such as `If-Match` (RFC 9110 §8.8.3). */
export interface EntityTag {
  readonly weak: boolean;
  /** The tag, including its quotes. */
  readonly opaque: string;
}

const ENTITY_TAG = /(W\/)?("[^"]*")/gi;
const CODING_SUFFIX = /-(?:br|gzip)"$/;

/** Yields the entity tags that a header lists. */
function* entityTagsIn(header: string): Generator<EntityTag> {
  for (const [, weak, opaque = ""] of header.matchAll(ENTITY_TAG)) {
    yield { weak: weak !== undefined, opaque };
  }
}

/** Returns true if a tag identifies an entity, in any content coding (`EncodedEntity.etagOf`). */
export function isTagOf({ opaque }: EntityTag, etag: string): boolean {
  return opaque === etag || opaque.replace(CODING_SUFFIX, '"') === etag;
}
