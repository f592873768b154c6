import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

/** The parameters that all pages of a list share. */
export interface ListParameters {
  /** Name of the listing method in the contract. */
  readonly operation: string;
  /** Resource name of the parent; empty for a list without a parent. */
  readonly parent: string;
  /** Text that identifies the filter; omitted without a filter. */
  readonly filter?: string | undefined;
  /** The moment as of which items are listed, in milliseconds since 1970; omitted for the present. */
  readonly asOf?: number | undefined;
  readonly pageSize: number;
}

/** Content of a page token: a position, and the list that the token is valid for. */
export interface PageToken extends ListParameters {
  /** Position at which the previous page ended, in a form that the list chooses. */
  readonly after: string;
}

const VERSION = 2;
const HOUR_MS = 3_600_000;
/** Lifetime of a token: three days. */
const LIFETIME_HOURS = 72;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FIXED_BYTES = 8;

/**
 * Encodes page tokens that carry their own state: encrypted and authenticated with AES-256-GCM, URL-safe. The
 * nonce is derived from the content: within an hour, the same page has the same token, and therefore the same
 * entity tag.
 */
export class PageTokenCodec {
  readonly #cipherKey: Buffer;
  readonly #nonceKey: Buffer;

  /** @param key at least 32 random bytes; servers with the same key read each other's tokens. */
  constructor(key: Uint8Array) {
    this.#cipherKey = Buffer.from(hkdfSync("sha256", key, "", "waybill page token cipher", 32));
    this.#nonceKey = Buffer.from(hkdfSync("sha256", key, "", "waybill page token nonce", 32));
  }

  /** The hour from which the lifetime of a token counts. The same page has the same token throughout it. */
  static hourOf(now: number): number {
    return Math.floor(now / HOUR_MS);
  }

  /** @param now in milliseconds since the Unix epoch; the token is valid for at least three days after. */
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

  /** @returns `undefined` if the text is not a token of this key, was altered or has expired. */
  decode(text: string, now: number): PageToken | undefined {
    const bytes = Buffer.from(text, "base64url");
    const start = 1 + IV_BYTES;
    const end = bytes.length - TAG_BYTES;
    // Accepts only one spelling of the bytes: base64url decoders ignore stray characters and unused bits.
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
