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
