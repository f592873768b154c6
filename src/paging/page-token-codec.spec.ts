import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type PageToken, PageTokenCodec } from "./page-token-codec.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 5, 12, 34, 56);
const TOKEN: PageToken = {
  operation: "ListThings",
  parent: "projects/123456789012/androidApps/app",
  pageSize: 1000,
  after: "sale",
};

const codec = new PageTokenCodec(Buffer.alloc(32, 1));

const text = fc.string({ unit: "binary" });
const token: fc.Arbitrary<PageToken> = fc.record(
  {
    operation: text,
    parent: text,
    filter: text,
    asOf: fc.maxSafeInteger(),
    pageSize: fc.integer({ min: 1, max: 10_000 }),
    after: text,
  },
  { requiredKeys: ["operation", "parent", "pageSize", "after"] },
);

describe("PageTokenCodec", () => {
  it("decodes every token that it encodes, for strings in any script", () => {
    fc.assert(
      fc.property(token, (token) => {
        const text = codec.encode(token, NOW);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(codec.decode(text, NOW)).toEqual(token);
      }),
    );
  });

  it("encrypts tokens", () => {
    const bytes = Buffer.from(codec.encode(TOKEN, NOW), "base64url").toString("latin1");
    expect(bytes).not.toMatch(/Things|projects|sale/);
  });

  it("rejects a token with any changed character", () => {
    const text = codec.encode(TOKEN, NOW);
    for (let i = 0; i < text.length; i++) {
      for (const character of "AQgw09_-z+/=. ") {
        if (text[i] === character) continue;
        expect(codec.decode(text.slice(0, i) + character + text.slice(i + 1), NOW)).toBeUndefined();
      }
    }
  });

  it("rejects a truncated or extended token", () => {
    // Lengths that leave every possible number of unused bits in the last character.
    for (const after of ["", "a", "ab", "abc"]) {
      const text = codec.encode({ ...TOKEN, after }, NOW);
      for (let i = 0; i < text.length; i++) {
        expect(codec.decode(text.slice(0, i), NOW)).toBeUndefined();
        expect(codec.decode(text.slice(i + 1), NOW)).toBeUndefined();
      }
      for (const more of ["A", "AA", "AAAA", "=", "==", " ", "\n", "\u0000", "."]) {
        expect(codec.decode(text + more, NOW)).toBeUndefined();
        expect(codec.decode(more + text, NOW)).toBeUndefined();
      }
      expect(codec.decode(text + text, NOW)).toBeUndefined();
    }
  });

  it("rejects a token with another spelling of the same bytes", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const after of ["", "a", "ab"]) {
      const text = codec.encode({ ...TOKEN, after }, NOW);
      const bytes = Buffer.from(text, "base64url");
      const spellings = [...alphabet].map((last) => text.slice(0, -1) + last);
      spellings.push(bytes.toString("base64"), `${text.slice(0, 4)}\n${text.slice(4)}`);
      for (const spelling of spellings) {
        if (spelling === text) continue;
        expect(codec.decode(spelling, NOW)).toBeUndefined();
      }
    }
  });

  test.each(["", "A", "x".repeat(100), "garbage", "AQ", "é", "\u0000".repeat(60)])("rejects %j", (text) => {
    expect(codec.decode(text, NOW)).toBeUndefined();
  });

  it("rejects random bytes", () => {
    for (let length = 0; length < 100; length++) {
      const bytes = randomBytes(length);
      if (length > 0) bytes[0] = 1;
      expect(codec.decode(bytes.toString("base64url"), NOW)).toBeUndefined();
    }
  });

  it("rejects a token of another key, and accepts another server's token with the same key", () => {
    const text = codec.encode(TOKEN, NOW);
    expect(new PageTokenCodec(Buffer.alloc(32, 2)).decode(text, NOW)).toBeUndefined();
    expect(new PageTokenCodec(Buffer.alloc(32, 1)).decode(text, NOW)).toEqual(TOKEN);
  });

  it("accepts a token for three days, plus less than an hour", () => {
    fc.assert(
      fc.property(fc.integer({ min: NOW, max: NOW + 10 * DAY }), (now) => {
        const text = codec.encode(TOKEN, now);
        expect(codec.decode(text, now + 3 * DAY)).toEqual(TOKEN);
        expect(codec.decode(text, now + 3 * DAY + HOUR)).toBeUndefined();
      }),
    );
  });

  it("returns the same token for the same page within an hour, and another token for any other page", () => {
    const start = Math.ceil(NOW / HOUR) * HOUR;
    const text = codec.encode(TOKEN, start);
    expect(codec.encode({ ...TOKEN }, start + HOUR - 1)).toBe(text);
    const others = [
      codec.encode(TOKEN, start + HOUR),
      codec.encode({ ...TOKEN, parent: `${TOKEN.parent}2` }, start),
      codec.encode({ ...TOKEN, pageSize: 999 }, start),
      codec.encode({ ...TOKEN, after: "" }, start),
      codec.encode({ ...TOKEN, operation: "ListOthers" }, start),
      codec.encode({ ...TOKEN, filter: "" }, start),
      codec.encode({ ...TOKEN, filter: "x" }, start),
      codec.encode({ ...TOKEN, after: "x" }, start),
      codec.encode({ ...TOKEN, filter: "x", after: "x" }, start),
    ];
    expect(new Set([text, ...others]).size).toBe(10);
  });
});
