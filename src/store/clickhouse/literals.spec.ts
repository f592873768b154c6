import fc from "fast-check";
import { expect, it, test } from "vitest";
import { integerLiteral, projectLiteral, textList, textLiteral } from "./literals.js";

test.each([
  ["", "''"],
  ["it's", "'it\\'s'"],
  ["\\", "'\\\\'"],
  ["\\'", "'\\\\\\''"],
  ["a\0b", "'a\\0b'"],
  ["x' OR 1 --", "'x\\' OR 1 --'"],
  ['é😀\n%_"`', "'é😀\n%_\"`'"],
])("writes the string %j as a literal", (text, literal) => {
  expect(textLiteral(text)).toBe(literal);
});

it("terminates a literal only at its end, for any string", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", "\\", "\0", "n", "a", "é") }), (text) => {
      const literal = textLiteral(text);
      expect(literal).toMatch(/^'(?:[^'\\\0]|\\['\\0])*'$/);
      const meant = literal
        .slice(1, -1)
        .replaceAll(/\\(.)/g, (_, character) => (character === "0" ? "\0" : character));
      expect(meant).toBe(text);
    }),
  );
});

it("writes a list of strings as literals", () => {
  expect(textList([])).toBe("");
  expect(textList(["a", "it's"])).toBe("'a', 'it\\'s'");
});

test.each([
  [0, "0"],
  [-25_000, "-25000"],
  [2 ** 53 - 1, "9007199254740991"],
])("writes the integer %d as a literal", (value, literal) => {
  expect(integerLiteral(value)).toBe(literal);
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1 OR 1" as unknown as number])(
  "rejects %j as an integer",
  (value) => {
    expect(() => integerLiteral(value)).toThrow(RangeError);
  },
);

test.each(["", "-1", "1 OR 1", "0x1", "12345678901234567890"])(
  "rejects %j as a project number",
  (project) => {
    expect(() => projectLiteral(project)).toThrow(RangeError);
    expect(projectLiteral("123456789012")).toBe("123456789012");
  },
);
