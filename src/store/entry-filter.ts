import type { Day } from "../model/day.js";

/** Comparison of two values: days in time, labels by their bytes. */
export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition on the day and the label of entries. An entry without a label has the empty one. */
export type EntryFilter =
  /** All operands hold; true without operands. */
  | { readonly kind: "and"; readonly operands: readonly EntryFilter[] }
  /** At least one operand holds; false without operands. */
  | { readonly kind: "or"; readonly operands: readonly EntryFilter[] }
  | { readonly kind: "not"; readonly operand: EntryFilter }
  | { readonly kind: "day"; readonly comparison: Comparison; readonly day: Day }
  | { readonly kind: "label"; readonly comparison: Comparison; readonly label: string }
  /** The label consists of the pieces, at least two, with any text between them, or none. */
  | { readonly kind: "pattern"; readonly pieces: readonly string[] };
