import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { HttpBody } from "../gen/google/api/httpbody_pb.js";

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

/** The media type of every answer in JSON. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** The ProtoJSON of a message, encoded once and sent as often as it is asked for. */
export class EncodedJson extends EncodedEntity {
  constructor(bytes: Buffer) {
    super(bytes, JSON_TYPE);
  }
}

/** Bytes that stand before a message of gRPC and gRPC-Web: flags and length. */
export const ENVELOPE_BYTES = 5;

/** The binary form of a message, encoded once and sent as often as it is asked for. */
export class EncodedBinary {
  /** The message in the envelope that gRPC sends it in: without flags, as it is not compressed. */
  readonly enveloped: Buffer;

  constructor(bytes: Uint8Array) {
    this.enveloped = enveloped(bytes);
  }

  /** The message alone. */
  get bytes(): Uint8Array {
    return this.enveloped.subarray(ENVELOPE_BYTES);
  }
}

/** Puts a message into its envelope. */
export function enveloped(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(ENVELOPE_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, ENVELOPE_BYTES);
  return frame;
}

/** An encoded answer: JSON or another entity, which may be compressed, or bytes as they are. */
export type Answer = EncodedEntity | HttpBody;
