import fc from "fast-check";
import { expect, it } from "vitest";
import { byBytes } from "./collections.js";

it("byBytes compares strings by their UTF-8 bytes", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom("a", "\u{ff5e}", "\u{ffff}", "\u{1f600}"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
