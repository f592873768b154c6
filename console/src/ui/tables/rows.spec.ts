import { expect, test } from "vitest";
import { countText, isFound, sortingAfter, sortRows, type TableColumn } from "./rows.js";

interface Row {
  readonly name: string;
  readonly value: number | undefined;
}

const NAME: TableColumn<Row> = {
  id: "name",
  title: "Name",
  kind: "text",
  cellOf: () => null,
  sortKeyOf: ({ name }) => name,
};
const VALUE: TableColumn<Row> = { ...NAME, id: "value", kind: "number", sortKeyOf: ({ value }) => value };
const { sortKeyOf: _, ...UNSORTABLE } = { ...NAME, id: "drawn" };
const ROWS: Row[] = [
  { name: "b", value: 2 },
  { name: "", value: undefined },
  { name: "d", value: 10 },
  { name: "a", value: 2 },
];

test.each([
  { column: "name", descending: false, names: ["", "a", "b", "d"] },
  { column: "name", descending: true, names: ["d", "b", "a", ""] },
  // Equal rows keep their order. Rows without a value come last.
  { column: "value", descending: false, names: ["b", "a", "d", ""] },
  { column: "value", descending: true, names: ["d", "b", "a", ""] },
  { column: "drawn", descending: true, names: ["b", "", "d", "a"] },
  { column: "unknown", descending: true, names: ["b", "", "d", "a"] },
])("sortRows sorts by $column, descending: $descending", ({ names, ...sorting }) => {
  expect(sortRows(ROWS, [NAME, VALUE, UNSORTABLE], sorting).map(({ name }) => name)).toEqual(names);
});

test.each([
  { pressed: NAME, now: { column: "value", descending: true }, descending: false },
  { pressed: VALUE, now: { column: "name", descending: false }, descending: true },
  { pressed: VALUE, now: { column: "value", descending: true }, descending: false },
])(
  "sortingAfter a click on $pressed.id with $now is descending: $descending",
  ({ pressed, now, descending }) => {
    expect(sortingAfter(pressed, now)).toEqual({ column: pressed.id, descending });
  },
);

test.each([
  ["cart_reminder", "", true],
  ["cart_reminder", "cart", true],
  ["cart_reminder", "  CART ", true],
  ["cart_reminder", "rem", true],
  ["cart_reminder", "cart_rem", true],
  ["cart_reminder", "_rem", true],
  ["cart_reminder", "minder", false],
  ["cart_reminder", "reminders", false],
  ["banana-ana", "ana", true],
  ["banana", "ana", false],
  ["spring-sale.2025", "2025", true],
  ["(no label)", "no lab", true],
  ["Größe", "größe", true],
])("isFound finds %j by %j: %s", (name, search, found) => {
  expect(isFound(name, search)).toBe(found);
});

test.each([
  [24, 30, 30, "24 of 30 labels"],
  [1, 1, 30, "1 of 30 labels"],
  [24, 28, 30, "24 of 28 found among 30 labels"],
  [0, 0, 30, "No labels match."],
])("countText of %d shown, %d found and %d rows is %j", (shown, found, all, text) => {
  expect(countText(shown, found, all, "labels")).toBe(text);
});
