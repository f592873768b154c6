import { describe, expect, it } from "vitest";
import { type ListPage, PagedList } from "./paged-list.js";

interface Page extends ListPage {
  readonly items?: readonly number[];
}

/** Pages by page token. The second page has no items. */
const PAGES: ReadonlyMap<string | undefined, Page> = new Map([
  [undefined, { items: [1, 2], nextPageToken: "b" }],
  ["b", { nextPageToken: "c" }],
  ["c", { items: [3] }],
]);

/** Creates a list over {@link PAGES}, and records the page tokens that it requests. */
function listOf(signal?: AbortSignal): { list: PagedList<number, Page>; read: (string | undefined)[] } {
  const read: (string | undefined)[] = [];
  const readPage = async (pageToken: string | undefined, given: AbortSignal | undefined): Promise<Page> => {
    given?.throwIfAborted();
    read.push(pageToken);
    return PAGES.get(pageToken) ?? Promise.reject(new Error(`there is no page ${pageToken}`));
  };
  return { list: new PagedList(readPage, ({ items }) => items, signal), read };
}

describe("PagedList", () => {
  it("yields all items from the first page on, each time it is iterated", async () => {
    const { list, read } = listOf();
    for (let time = 0; time < 2; time++) {
      const items: number[] = [];
      for await (const item of list) items.push(item);
      expect(items).toEqual([1, 2, 3]);
    }
    expect(read).toEqual([undefined, "b", "c", undefined, "b", "c"]);
  });

  it("reads all items into an array", async () => {
    expect(await listOf().list.toArray()).toEqual([1, 2, 3]);
  });

  it("yields pages, and reads at most one page ahead", async () => {
    const { list, read } = listOf();
    const pages = list.pages();
    expect(read).toEqual([]);
    expect((await pages.next()).value).toBe(PAGES.get(undefined));
    expect(read).toEqual([undefined, "b"]);
    await pages.return();
    expect(read).toEqual([undefined, "b"]);
  });

  it("reads a single page on request", async () => {
    const { list, read } = listOf();
    expect(await list.readPage()).toBe(PAGES.get(undefined));
    expect(await list.readPage("c")).toBe(PAGES.get("c"));
    expect(read).toEqual([undefined, "c"]);
  });

  it("fails with the abort reason of its signal", async () => {
    const reason = new Error("enough");
    const { list, read } = listOf(AbortSignal.abort(reason));
    await expect(list.toArray()).rejects.toBe(reason);
    await expect(list.readPage()).rejects.toBe(reason);
    expect(read).toEqual([]);
  });
});
