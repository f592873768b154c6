import fc from "fast-check";
import { expect, it } from "vitest";
import { pageOf } from "./page-of.js";

it("divides a list into pages that add up to the list, all of them full but the last", () => {
  const list = fc
    .uniqueArray(fc.integer({ min: -50, max: 50 }), { maxLength: 30 })
    .map((items) => items.sort((a, b) => a - b));
  fc.assert(
    fc.property(list, fc.integer({ min: 1, max: 35 }), (items, size) => {
      const pages: (readonly number[])[] = [];
      for (let after = Number.NEGATIVE_INFINITY; ; ) {
        const page = pageOf(items, (item) => item > after, size);
        pages.push(page.items);
        if (page.last === undefined) break;
        expect(page.items).toHaveLength(size);
        expect(page.items.at(-1)).toBe(page.last);
        after = page.last;
      }
      expect(pages.flat()).toEqual(items);
      expect(pages.length).toBe(Math.max(1, Math.ceil(items.length / size)));
    }),
  );
});

it("continues behind an item that was removed", () => {
  expect(pageOf([1, 2, 4, 5], (item) => item > 3, 1)).toEqual({ items: [4], last: 4 });
  expect(pageOf([1, 2], (item) => item > 3, 1)).toEqual({ items: [], last: undefined });
});
