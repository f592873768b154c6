import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCsv, unguarded } from "#console/../../test/support/data/csv.js";
import { csvLine } from "./files.js";

test.each([
  { values: ["a", "b"], line: "a,b\r\n" },
  { values: ["", undefined, 0], line: ",,0\r\n" },
  { values: [93.41000000000001, 1e-7], line: "93.41000000000001,1e-7\r\n" },
  { values: ['say "hi"', "a,b", "a\r\nb"], line: '"say ""hi""","a,b","a\r\nb"\r\n' },
  // Labels may start with a minus sign, app ids with any character.
  { values: ["-2-3", "=1+1", "+1", "@SUM"], line: "'-2-3,'=1+1,'+1,'@SUM\r\n" },
  { values: ["'quoted", "it's"], line: "''quoted,it's\r\n" },
  { values: ['=HYPERLINK("x","y")'], line: '"\'=HYPERLINK(""x"",""y"")"\r\n' },
])("csvLine formats $values", ({ values, line }) => {
  expect(csvLine(values)).toBe(line);
});

test("a CSV parser restores every text that csvLine writes", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 5 })), (rows) => {
      const read = parseCsv(rows.map(csvLine).join(""));
      expect(read.map((cells) => cells.map(unguarded))).toEqual(rows);
    }),
  );
});

test("a CSV parser restores every number that csvLine writes", () => {
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(percent, { minLength: 1 }), (numbers) => {
      const [cells = []] = parseCsv(csvLine(numbers));
      expect(cells.map(Number)).toEqual(numbers.map((number) => number + 0));
    }),
  );
});

test("csvLine writes no cell that starts like a formula", () => {
  const text = fc
    .tuple(fc.constantFrom("=", "+", "-", "@", "\t", "\r"), fc.string())
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (value) => {
      const [[cell = ""] = []] = parseCsv(csvLine([value]));
      expect(cell).toBe(`'${value}`);
    }),
  );
});
