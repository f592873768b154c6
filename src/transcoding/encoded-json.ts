import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A coding that an answer can be sent in, besides as it is. */
export type ContentCoding = "br" | "gzip";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** The ProtoJSON of a message, encoded once and sent as often as it is asked for. */
export class EncodedJson {
  readonly bytes: Buffer;
  #tag: string | undefined;
  readonly #compressed: { [C in ContentCoding]?: Promise<Buffer> } = {};

  constructor(bytes: Buffer) {
    this.bytes = bytes;
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

  /** The bytes in a coding, compressed on first use. */
  compressed(coding: ContentCoding): Promise<Buffer> {
    this.#compressed[coding] ??=
      coding === "gzip"
        ? deflate(this.bytes)
        : // Quality 5 compresses JSON about as fast as gzip does, and better.
          brotli(this.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    return this.#compressed[coding];
  }
}
