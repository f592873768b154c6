import type { Day } from "../model/day.js";

/** How two values are compared: days in time, labels by their bytes. */
export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition on entries, by their day and their label. The label of the entry without one is empty. */
export type EntryFilter =
  /** All of them hold; also if there is none. */
  | { readonly kind: "and"; readonly operands: readonly EntryFilter[] }
  /** At least one of them holds. */
  | { readonly kind: "or"; readonly operands: readonly EntryFilter[] }
  | { readonly kind: "not"; readonly operand: EntryFilter }
  | { readonly kind: "day"; readonly comparison: Comparison; readonly day: Day }
  | { readonly kind: "label"; readonly comparison: Comparison; readonly label: string }
  /** The label consists of the pieces, two or more, with any text or none between one and the next. */
  | { readonly kind: "pattern"; readonly pieces: readonly string[] };
