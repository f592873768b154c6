import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import { effectivePageSize, itemsAfter, readPageOf } from "./page.js";
import { PageTokens } from "./page-tokens.js";

const tokens = new PageTokens({ key: Buffer.alloc(32, 1), lenient: false, now: () => 0 });

/** A list of numbers in ascending order. */
const listOf = (items: readonly number[]) => ({
  operation: "ListNumbers",
  parent: "",
  read: async (after: string | undefined, limit: number) =>
    itemsAfter(items, (item) => after === undefined || item > Number(after), limit),
  positionOf: String,
});

describe("a paged list", () => {
  it("returns all items, with full pages except the last", async () => {
    const list = fc
      .uniqueArray(fc.integer({ min: -50, max: 50 }), { maxLength: 30 })
      .map((items) => items.sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(list, fc.integer({ min: 1, max: 35 }), async (items, pageSize) => {
        const pages: (readonly number[])[] = [];
        for (let pageToken = ""; ; ) {
          const page = await readPageOf(listOf(items), { pageSize, pageToken }, tokens);
          pages.push(page.items);
          if (page.nextPageToken === "") break;
          expect(page.items).toHaveLength(pageSize);
          pageToken = page.nextPageToken;
        }
        expect(pages.flat()).toEqual(items);
        expect(pages.length).toBe(Math.max(1, Math.ceil(items.length / pageSize)));
      }),
    );
  });

  it("continues correctly after an item was removed", async () => {
    const { nextPageToken } = await readPageOf(
      listOf([1, 2, 3, 4, 5]),
      { pageSize: 3, pageToken: "" },
      tokens,
    );
    const request = { pageSize: 3, pageToken: nextPageToken };
    expect(await readPageOf(listOf([1, 2, 4, 5]), request, tokens)).toEqual({
      items: [4, 5],
      nextPageToken: "",
    });
    expect(await readPageOf(listOf([1, 2]), request, tokens)).toEqual({ items: [], nextPageToken: "" });
  });

  it("rejects a different page size before it reads items", async () => {
    const { nextPageToken } = await readPageOf(listOf([1, 2]), { pageSize: 1, pageToken: "" }, tokens);
    const read = () => Promise.reject(new Error("it was read"));
    await expect(
      readPageOf({ ...listOf([]), read }, { pageSize: 2, pageToken: nextPageToken }, tokens),
    ).rejects.toMatchObject({ reason: "PAGE_TOKEN_MISMATCH" });
  });
});

test.each([
  [0, 100, 1_000],
  [1, 1, 1],
  [999, 999, 999],
  [1_000, 1_000, 1_000],
  [1_001, 1_000, 1_001],
  [10_001, 1_000, 10_000],
  [2 ** 31 - 1, 1_000, 10_000],
])(
  "effectivePageSize(%i) returns %i by default, and %i for a list that allows larger pages",
  (asked, usual, larger) => {
    expect(effectivePageSize(asked)).toBe(usual);
    expect(effectivePageSize(asked, { usual: 1_000, max: 10_000 })).toBe(larger);
  },
);

test.each([-1, -(2 ** 31)])("effectivePageSize(%i) rejects the page size", (asked) => {
  expect(() => effectivePageSize(asked)).toThrow(ApiError);
  expect(() => effectivePageSize(asked)).toThrow("pageSize");
});
