import fc from "fast-check";
import { expect, it } from "vitest";
import { NameCache } from "./name-cache.js";

/** Names that often share a slot: the same length, first byte and last four bytes. */
const name = fc.oneof(
  fc.stringMatching(/^[a-c]{1,3}$/),
  fc.stringMatching(/^a[a-c]{1,4}zzzz$/),
  fc.stringMatching(/^[!-~]{1,40}$/),
);

it("NameCache returns each name's index, even repeatedly", () =>
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 60 }), (names) => {
      const indexes = new Map<string, number>();
      const indexOf = (text: string): number => {
        if (!indexes.has(text)) indexes.set(text, indexes.size);
        return indexes.get(text) ?? -1;
      };
      const cache = new NameCache(Buffer.from(names.join("")), indexOf);
      let start = 0;
      for (const text of names) {
        expect(cache.indexOf(start, start + text.length)).toBe(indexOf(text));
        start += text.length;
      }
    }),
  ));

it("NameCache determines a repeated name's index only once", () => {
  const asked: string[] = [];
  const cache = new NameCache(Buffer.from("shopnewsshop"), (text) => asked.push(text));
  for (const start of [0, 4, 8, 0]) cache.indexOf(start, start + 4);
  expect(asked).toEqual(["shop", "news"]);
});
