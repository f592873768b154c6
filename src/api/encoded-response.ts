import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { HttpBody } from "../gen/google/api/httpbody_pb.js";

/** A content coding for responses, other than `identity`. */
export type ContentCoding = "br" | "gzip";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Properties of an entity that were computed earlier. */
export interface KnownOfEntity {
  readonly compressed?: Readonly<Partial<Record<ContentCoding, Buffer>>>;
  /** Entity tag from {@link tagOf}. */
  readonly tag?: string | undefined;
}

/** Returns the strong entity tag of bytes, without quotes. For a large page, this costs several milliseconds. */
export const tagOf = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, 22);

/** Bytes that are sent many times. Each content coding is computed once, when it is first needed. */
export class EncodedEntity {
  readonly bytes: Buffer;
  readonly contentType: string;
  #tag: string | undefined;
  readonly #compressed: { [C in ContentCoding]?: Promise<Buffer> } = {};

  /** @param known content codings and entity tag that were computed earlier. */
  constructor(bytes: Buffer, contentType: string, { compressed = {}, tag }: KnownOfEntity = {}) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.#tag = tag;
    if (compressed.br !== undefined) this.#compressed.br = Promise.resolve(compressed.br);
    if (compressed.gzip !== undefined) this.#compressed.gzip = Promise.resolve(compressed.gzip);
  }

  /** Strong entity tag of {@link bytes}, quoted (RFC 9110 §8.8.3). */
  get etag(): string {
    return this.etagOf(undefined);
  }

  /** Strong entity tag of the bytes in a content coding. Each coding has its own tag (RFC 9110 §8.8.3.3). */
  etagOf(coding: ContentCoding | undefined): string {
    this.#tag ??= tagOf(this.bytes);
    return coding === undefined ? `"${this.#tag}"` : `"${this.#tag}-${coding}"`;
  }

  /** Returns true if the compressed bytes exist, or are being computed. */
  isCompressed(coding: ContentCoding): boolean {
    return this.#compressed[coding] !== undefined;
  }

  /** Returns the bytes in a content coding, compressed on first use. */
  compressed(coding: ContentCoding): Promise<Buffer> {
    this.#compressed[coding] ??=
      coding === "gzip"
        ? deflate(this.bytes)
        : // Brotli at quality 5 is about as fast as gzip, and compresses text better.
          brotli(this.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    return this.#compressed[coding];
  }
}

/** The media type of all JSON responses. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** A message in ProtoJSON, encoded once and sent many times. */
export class EncodedJson extends EncodedEntity {
  constructor(bytes: Buffer, known?: KnownOfEntity) {
    super(bytes, JSON_TYPE, known);
  }
}

/** Size of a gRPC or gRPC-Web message prefix: one byte of flags, and the length. */
export const ENVELOPE_BYTES = 5;

/** A binary message, encoded once and sent many times. */
export class EncodedBinary {
  /** The message in an uncompressed gRPC envelope. */
  readonly enveloped: Buffer;

  constructor(bytes: Uint8Array) {
    this.enveloped = enveloped(bytes);
  }

  /** The message without its envelope. */
  get bytes(): Uint8Array {
    return this.enveloped.subarray(ENVELOPE_BYTES);
  }
}

/** Puts an uncompressed message into a gRPC envelope. */
export function enveloped(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(ENVELOPE_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, ENVELOPE_BYTES);
  return frame;
}

/** An encoded response: an entity, or an `HttpBody` that is sent unchanged. */
export type ResponseEntity = EncodedEntity | HttpBody;
