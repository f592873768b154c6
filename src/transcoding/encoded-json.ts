import { createHash } from "node:crypto";

/** The ProtoJSON of a message, encoded once and sent as often as it is asked for. */
export class EncodedJson {
  readonly bytes: Buffer;
  /** Strong entity tag of {@link bytes}, quoted (RFC 9110 §8.8.3). */
  readonly etag: string;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  }
}
