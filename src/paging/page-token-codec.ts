import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { HOUR_MS } from "../model/clock.js";

export interface ListParameters {
  /** Name of the listing method in the contract. */
  readonly operation: string;
  /** Resource name of the parent; empty for a list without a parent. */
  readonly parent: string;
  /** Text that identifies the filter, if any. */
  readonly filter?: string | undefined;
  /** Time of an `as_of` list, in milliseconds since 1970; omitted for the present. */
  readonly asOf?: number | undefined;
  readonly pageSize: number;
}

/** Content of a page token: a position, and the list for which it is valid. */
export interface PageToken extends ListParameters {
  /** End position of the previous page, in the list's own format. */
  readonly after: string;
}

const VERSION = 2;
/** Lifetime of a token: three days. */
const LIFETIME_HOURS = 72;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FIXED_BYTES = 8;

/**
 * Encodes stateless page tokens: encrypted and authenticated with AES-256-GCM, URL-safe. The nonce is derived from the
 * content. Within an hour, the same page has the same token, and therefore the same entity tag.
 */
export class PageTokenCodec {
  readonly #cipherKey: Buffer;
  readonly #nonceKey: Buffer;

  /** @param key at least 32 random bytes; servers with the same key read each other's tokens. */
  constructor(key: Uint8Array) {
    this.#cipherKey = Buffer.from(hkdfSync("sha256", key, "", "waybill page token cipher", 32));
    this.#nonceKey = Buffer.from(hkdfSync("sha256", key, "", "waybill page token nonce", 32));
  }

  /** Returns the hour in which a token's lifetime begins. During it, the same page has the same token. */
  static hourOf(now: number): number {
    return Math.floor(now / HOUR_MS);
  }

  /** @param now milliseconds since the Unix epoch. The token is valid for at least three days. */
  encode({ operation, parent, filter, asOf, pageSize, after }: PageToken, now: number): string {
    const fixed = Buffer.alloc(FIXED_BYTES);
    fixed.writeUInt32BE(PageTokenCodec.hourOf(now) + LIFETIME_HOURS + 1, 0);
    fixed.writeUInt32BE(pageSize, 4);
    const values: (string | number | null)[] = [operation, parent, after];
    // Omitted if undefined: most lists have neither.
    if (filter !== undefined || asOf !== undefined) values.push(filter ?? null);
    if (asOf !== undefined) values.push(asOf);
    const plain = Buffer.concat([fixed, Buffer.from(JSON.stringify(values))]);
    const nonce = createHmac("sha256", this.#nonceKey).update(plain).digest().subarray(0, IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#cipherKey, nonce);
    const version = Buffer.of(VERSION);
    cipher.setAAD(version);
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([version, nonce, sealed, cipher.getAuthTag()]).toString("base64url");
  }

  /** @returns `undefined` if the token was made with another key, was changed, or has expired. */
  decode(text: string, now: number): PageToken | undefined {
    const bytes = Buffer.from(text, "base64url");
    const start = 1 + IV_BYTES;
    const end = bytes.length - TAG_BYTES;
    // Accept only one encoding of the bytes: base64url decoders ignore stray characters and unused bits.
    if (bytes.toString("base64url") !== text || end < start + FIXED_BYTES || bytes[0] !== VERSION) {
      return undefined;
    }
    const decipher = createDecipheriv("aes-256-gcm", this.#cipherKey, bytes.subarray(1, start));
    decipher.setAAD(bytes.subarray(0, 1));
    decipher.setAuthTag(bytes.subarray(end));
    let plain: Buffer;
    try {
      plain = Buffer.concat([decipher.update(bytes.subarray(start, end)), decipher.final()]);
    } catch {
      return undefined;
    }
    if (plain.readUInt32BE(0) <= PageTokenCodec.hourOf(now)) return undefined;
    const [operation, parent, after, filter, asOf] = JSON.parse(plain.toString("utf8", FIXED_BYTES)) as [
      string,
      string,
      string,
      (string | null)?,
      number?,
    ];
    return {
      operation,
      parent,
      ...(typeof filter === "string" && { filter }),
      ...(asOf !== undefined && { asOf }),
      pageSize: plain.readUInt32BE(4),
      after,
    };
  }
}
