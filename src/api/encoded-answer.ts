import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { HttpBody } from "../gen/google/api/httpbody_pb.js";

/** A content coding for responses, other than `identity`. */
export type ContentCoding = "br" | "gzip";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Derivatives of an entity that exist already. */
export interface KnownOfEntity {
  readonly compressed?: Readonly<Partial<Record<ContentCoding, Buffer>>>;
  /** From {@link tagOf}. */
  readonly tag?: string | undefined;
}

/** Text of the strong entity tag of bytes, without quotes. Takes some milliseconds for a large page. */
export const tagOf = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, 22);

/** Bytes of one media type that are sent many times. Each content coding is made once, on demand. */
export class EncodedEntity {
  readonly bytes: Buffer;
  /** Value of `Content-Type`. */
  readonly contentType: string;
  #tag: string | undefined;
  readonly #compressed: { [C in ContentCoding]?: Promise<Buffer> } = {};

  /** @param known what was made of the bytes before. */
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

  /** Strong entity tag of the bytes in a content coding; each coding has its own (RFC 9110 §8.8.3.3). */
  etagOf(coding: ContentCoding | undefined): string {
    this.#tag ??= tagOf(this.bytes);
    return coding === undefined ? `"${this.#tag}"` : `"${this.#tag}-${coding}"`;
  }

  /** Returns true if the bytes in a content coding exist or are being made. */
  isCompressed(coding: ContentCoding): boolean {
    return this.#compressed[coding] !== undefined;
  }

  /** The bytes in a content coding, compressed on first use unless given to the constructor. */
  compressed(coding: ContentCoding): Promise<Buffer> {
    this.#compressed[coding] ??=
      coding === "gzip"
        ? deflate(this.bytes)
        : // Quality 5 compresses text about as fast as gzip, and better.
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

/** Bytes before a gRPC or gRPC-Web message: flags and length. */
export const ENVELOPE_BYTES = 5;

/** A message in binary form, encoded once and sent many times. */
export class EncodedBinary {
  /** The message in its gRPC envelope, with no flags set because it is not compressed. */
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

/** An encoded response: an entity, which may be compressed, or a body that is sent as it is. */
export type Answer = EncodedEntity | HttpBody;
