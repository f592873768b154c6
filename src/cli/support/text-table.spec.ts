import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Column, TextTable } from "./text-table.js";

interface Row {
  readonly id: string;
  readonly count: number;
}
const COLUMNS: readonly Column<Row>[] = [
  { title: "id", leastWidth: 5, text: ({ id }) => id },
  { title: "count", text: ({ count }) => String(count) },
  { title: "twice", text: ({ count }) => String(2 * count) },
];
const ROWS: readonly Row[] = [
  { id: "first", count: 7 },
  { id: "the-second", count: 12345678 },
];

function drawn(rows: readonly Row[], width?: number): string[] {
  const table = new TextTable(COLUMNS, rows, width);
  return [table.head(), ...rows.map((row) => table.line(row))].map((line) => line.slice(0, -1));
}

test.each<[width: number | undefined, lines: string[]]>([
  [
    undefined,
    ["id             count     twice", "first              7        14", "the-second  12345678  24691356"],
  ],
  [28, ["id           count     twice", "first            7        14", "the-…ond  12345678  24691356"]],
  [25, ["id        count     twice", "first         7        14", "th…nd  12345678  24691356"]],
  [24, ["id        count", "first         7", "th…nd  12345678"]],
  [3, ["id", "first", "th…nd"]],
])("a text table of width %s has no longer lines", (width, lines) => {
  expect(drawn(ROWS, width)).toEqual(lines);
});

describe("a text table", () => {
  it("reports omitted columns", () => {
    const titles = (width: number) => new TextTable(COLUMNS, ROWS, width).omitted.map(({ title }) => title);
    expect([titles(25), titles(24), titles(1)]).toEqual([[], ["twice"], ["count", "twice"]]);
  });

  it("shortens later texts to the width in the sample, but never numbers", () => {
    const narrow = new TextTable(COLUMNS, [{ id: "a", count: 1 }], 40);
    expect(narrow.line({ id: "longer", count: 123456 })).toBe("l…  123456  246912\n");
    const wide = new TextTable(COLUMNS, [{ id: "a", count: 1 }]);
    expect(wide.line({ id: "longer", count: 1 })).toBe("longer      1      2\n");
  });

  it("replaces characters that control the terminal", () => {
    expect(drawn([{ id: "a\x1b[2J\u202e\n", count: 1 }])[1]).toBe("a\ufffd[2J\ufffd\ufffd      1      2");
  });

  it("has lines of equal length, within the width if the numbers fit", () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.string({ maxLength: 30 }), count: fc.nat() }), { minLength: 1 }),
        fc.integer({ min: 31, max: 80 }),
        (rows, width) => {
          const [head = "", ...lines] = drawn(rows, width);
          expect(head.length).toBeLessThanOrEqual(width);
          expect(head.endsWith("twice")).toBe(true);
          for (const line of lines) expect(line).toHaveLength(head.length);
        },
      ),
    ));
});
