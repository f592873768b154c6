import { expect, it } from "vitest";
import { type ChangesPage, changesInPages, RECORDS_A_PAGE } from "./changes-since.js";
import type { ChangedRecord } from "./records.js";

const recordsFrom = (first: number, count: number): readonly ChangedRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `7/${first + index}`,
    value: 1,
    revision: first + index,
  }));

const page = (values: Partial<ChangesPage>): ChangesPage => ({
  records: [],
  last: 9_000,
  forgotten: 0,
  isKnown: true,
  ...values,
});

/** Lists changes since a revision over several pages. Returns the reads, and the content of each listed page. */
async function listed(revision: number, pages: readonly ChangesPage[]) {
  const reads: (readonly number[])[] = [];
  const results: (readonly [isWhole: boolean, count: number, revision: number])[] = [];
  const read = async (position: number, base: number) => {
    const next = pages[reads.length];
    reads.push([position, base]);
    if (next === undefined) throw new Error("there is no other page");
    return next;
  };
  for await (const { isWhole, records, revision: last } of changesInPages(revision, read))
    results.push([isWhole, records.length, last]);
  return { reads, results };
}

it("continues after the last record of a page, and ends at the last revision", async () => {
  const full = page({ records: recordsFrom(1, RECORDS_A_PAGE) });
  const rest = page({ records: recordsFrom(RECORDS_A_PAGE + 1, 1), last: 9_001 });
  expect(await listed(0, [full, rest])).toEqual({
    reads: [
      [0, 0],
      [RECORDS_A_PAGE, 9_000],
    ],
    results: [
      [true, RECORDS_A_PAGE, RECORDS_A_PAGE],
      [false, 1, 9_001],
    ],
  });
});

it("starts again if the database has lost a revision", async () => {
  const { reads, results } = await listed(70, [page({ isKnown: false }), page({})]);
  expect(reads).toEqual([
    [70, 70],
    [0, 0],
  ]);
  expect(results).toEqual([[true, 0, 9_000]]);
});

it("starts again if a deletion between two pages has left no traces", async () => {
  const full = page({ records: recordsFrom(1, RECORDS_A_PAGE) });
  const { results } = await listed(0, [full, page({ forgotten: 8_000 }), page({ forgotten: 8_000 })]);
  expect(results).toEqual([
    [true, RECORDS_A_PAGE, RECORDS_A_PAGE],
    [true, 0, 9_000],
  ]);
});

it("ignores deletions from before the first page, and listed ones", async () => {
  const full = page({ records: recordsFrom(1, RECORDS_A_PAGE), forgotten: 8_000 });
  const { results } = await listed(0, [full, page({ forgotten: 8_000 })]);
  expect(results).toEqual([
    [true, RECORDS_A_PAGE, RECORDS_A_PAGE],
    [false, 0, 9_000],
  ]);
  const again = await listed(9_000, [page({ forgotten: 8_500 })]);
  expect(again.results).toEqual([[false, 0, 9_000]]);
});
