import { excerpt } from "../../limits/excerpt.js";
import { SourceError } from "./source-error.js";

/** A row of a file. */
export interface Row {
  /** Number of its first line in the file, from 1; its own number where rows have no lines. */
  readonly line: number;
  /** Values by the names of their columns. */
  readonly cells: Readonly<Record<string, unknown>>;
  /** Why the row has no cells, if it cannot be read. */
  readonly problem?: string;
}

/** Rows in the order of the file, some at a time. */
export type Rows = AsyncIterable<readonly Row[]>;

/** What the rows of a file are numbered by. */
export type RowUnit = "line" | "row";

/**
 * Returns the text of a cell; undefined if it is missing, null or empty.
 *
 * @throws SourceError if the value is not a text, number or boolean, or not exact.
 */
export function cellText({ line, cells }: Row, column: string): string | undefined {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
  if (cell === undefined || cell === null || cell === "") return undefined;
  if (typeof cell === "string") return cell;
  if (typeof cell === "number" && Number.isInteger(cell) && !Number.isSafeInteger(cell))
    throw new SourceError(line, `${column} is too large for a JSON number; write it as text`);
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  throw new SourceError(line, `${column} must be a text, a number or a boolean`);
}

/** Longest text of a file in a message, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 60;

/** Shortens a text of a file for a message, and escapes what a terminal would act on. */
export function shown(text: string): string {
  return excerpt(text, MAX_SHOWN_LENGTH).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
