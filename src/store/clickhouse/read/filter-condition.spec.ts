import { expect, test } from "vitest";
import type { EntryFilter } from "../../delivery-data-store.js";
import { filterCondition } from "./filter-condition.js";

const label = (comparison: "=" | "!=" | "<" | "<=" | ">" | ">=", label: string): EntryFilter => ({
  kind: "label",
  comparison,
  label,
});

test.each<[EntryFilter, string]>([
  [{ kind: "and", operands: [] }, "1"],
  [{ kind: "or", operands: [] }, "0"],
  [{ kind: "day", comparison: "<=", day: 20_000 }, "day <= 20000"],
  [label("=", "it's"), "label = 'it\\'s'"],
  [{ kind: "not", operand: label("=", "a") }, "NOT (label = 'a')"],
  [{ kind: "or", operands: [label("=", "a"), label("=", "b")] }, "((label = 'a') OR (label = 'b'))"],
  [{ kind: "pattern", pieces: ["a", "", "b"] }, "label LIKE 'a%%b'"],
  [{ kind: "pattern", pieces: ["50%", "_'\\"] }, "label LIKE '50\\\\%%\\\\_\\'\\\\\\\\'"],
  // Labels have no zero byte.
  [{ kind: "pattern", pieces: ["", "\0", "a"] }, "0"],
  [label("=", "a\0"), "0"],
  [label("!=", "a\0b"), "1"],
  [label("<", "a\0"), "label <= 'a'"],
  [label("<=", "\0"), "label <= ''"],
  [label(">", "a\0b"), "label > 'a'"],
  [label(">=", "\0"), "label > ''"],
])("compiles %j to %s", (filter, condition) => {
  expect(filterCondition(filter)).toBe(condition);
});
