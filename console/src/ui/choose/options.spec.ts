import { expect, test } from "vitest";
import { foundOptions, type Option, typedOption } from "./options.js";

const option = (text: string, ...names: string[]): Option => ({ value: text, text, names });
const OPTIONS = [
  option("Corner shop", "corner-shop", "500000000003"),
  option("Shop 2", "shop-2", "500000000001"),
  option("Shop", "shop", "500000000002"),
  option("Magasin", "shop-fr", "612345678901"),
];

test.each<[search: string, found: readonly string[]]>([
  ["", ["Corner shop", "Shop 2", "Shop", "Magasin"]],
  [" SHOP ", ["Shop", "Shop 2", "Magasin", "Corner shop"]],
  ["shop-f", ["Magasin"]],
  ["612345678901", ["Magasin"]],
  ["000002", ["Shop"]],
  ["none", []],
])("foundOptions finds by %j, names that start with it first", (search, found) => {
  expect(foundOptions(OPTIONS, search).map(({ text }) => text)).toEqual(found);
});

test("foundOptions finds options without other names", () => {
  expect(foundOptions([{ value: "a", text: "(no label)" }], "no l")).toHaveLength(1);
});

test.each<[typed: string, current: number, found: number | undefined]>([
  ["s", 0, 1],
  ["s", 1, 2],
  ["s", 2, 1],
  ["ss", 1, 2],
  ["SHOP ", 1, 1],
  ["m", 3, 3],
  ["x", 0, undefined],
])("typedOption finds by %j, from option %d", (typed, current, found) => {
  expect(typedOption(OPTIONS, typed, current)).toBe(found);
});
