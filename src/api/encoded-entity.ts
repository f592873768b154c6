import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A coding that an answer can be sent in, besides as it is. */
export type ContentCoding = "br" | "gzip";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Bytes of a media type, which are sent as often as they are asked for, compressed where that gains something. */
export class EncodedEntity {
  readonly bytes: Buffer;
  /** Media type, as `Content-Type` has it. */
  readonly contentType: string;
  #tag: string | undefined;
  readonly #compressed: { [C in ContentCoding]?: Promise<Buffer> } = {};

  /** @param compressed The bytes in the codings that they were compressed in before. */
  constructor(
    bytes: Buffer,
    contentType: string,
    compressed: Readonly<Partial<Record<ContentCoding, Buffer>>> = {},
  ) {
    this.bytes = bytes;
    this.contentType = contentType;
    if (compressed.br !== undefined) this.#compressed.br = Promise.resolve(compressed.br);
    if (compressed.gzip !== undefined) this.#compressed.gzip = Promise.resolve(compressed.gzip);
  }

  /** Strong entity tag of {@link bytes}, quoted (RFC 9110 §8.8.3). */
  get etag(): string {
    return this.etagOf(undefined);
  }

  /** Strong entity tag of the bytes as sent in a coding; every coding has its own (RFC 9110 §8.8.3.3). */
  etagOf(coding: ContentCoding | undefined): string {
    this.#tag ??= createHash("sha256").update(this.bytes).digest("base64url").slice(0, 22);
    return coding === undefined ? `"${this.#tag}"` : `"${this.#tag}-${coding}"`;
  }

  /** Whether the bytes in a coding are there, or on their way. */
  isCompressed(coding: ContentCoding): boolean {
    return this.#compressed[coding] !== undefined;
  }

  /** The bytes in a coding, compressed on first use unless they were before. */
  compressed(coding: ContentCoding): Promise<Buffer> {
    this.#compressed[coding] ??=
      coding === "gzip"
        ? deflate(this.bytes)
        : // Quality 5 compresses text about as fast as gzip does, and better.
          brotli(this.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    return this.#compressed[coding];
  }
}
