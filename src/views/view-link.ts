import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { UnixMillis } from "../model/clock.js";
import type { ProjectNumber } from "../model/names.js";

export interface LinkClaims {
  readonly project: ProjectNumber;
  /** Id of the view. */
  readonly view: string;
  /** Id of the link, which the view must still have. */
  readonly link: string;
  readonly expireTime: UnixMillis;
}

const LINK_ID_BYTES = 16;

/** Returns a new link's id, which cannot be guessed. */
export const newLinkId = (): string => randomBytes(LINK_ID_BYTES).toString("base64url");

/** Signs tokens of links to views with HMAC-SHA-256. Tokens can be part of a URL. */
export class LinkTokens {
  readonly #key: Buffer;

  /** @param key at least 32 random bytes; servers with the same key accept each other's tokens. */
  constructor(key: Uint8Array) {
    this.#key = Buffer.from(hkdfSync("sha256", key, "", "waybill view link", 32));
  }

  sign({ project, view, link, expireTime }: LinkClaims): string {
    const claims = Buffer.from(JSON.stringify([project, view, link, expireTime])).toString("base64url");
    return `${claims}.${this.#signatureOf(claims).toString("base64url")}`;
  }

  /** Reads a token, also an expired one. @returns `undefined` if it was made with another key, or was changed. */
  read(token: string): LinkClaims | undefined {
    const [claims = "", signature = "", ...more] = token.split(".");
    const signed = Buffer.from(signature, "base64url");
    const expected = this.#signatureOf(claims);
    // Accept only one encoding of the signature.
    const isExact = more.length === 0 && signed.toString("base64url") === signature;
    if (!isExact || signed.length !== expected.length || !timingSafeEqual(signed, expected)) return undefined;
    const [project, view, link, expireTime] = JSON.parse(Buffer.from(claims, "base64url").toString()) as [
      ProjectNumber,
      string,
      string,
      UnixMillis,
    ];
    return { project, view, link, expireTime };
  }

  #signatureOf(claims: string): Buffer {
    return createHmac("sha256", this.#key).update(claims).digest();
  }
}
