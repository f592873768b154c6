import { escaped, excerpt } from "../../limits/excerpt.js";

/** A file cannot be converted to rows, or one of its rows is invalid. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  /** Number of the line or row, from 1; undefined if the problem concerns the whole file. */
  readonly line: number | undefined;

  constructor(line: number | undefined, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.line = line;
  }
}

export interface Row {
  /** Line number in the file, from 1; the row number for formats without lines. */
  readonly line: number;
  /** Cell values by column name. */
  readonly cells: Readonly<Record<string, unknown>>;
  /** Why the row cannot be read. Such a row has no cells. */
  readonly problem?: string;
}

/** Rows in file order, in chunks. */
export type Rows = AsyncIterable<readonly Row[]>;

/** Whether row numbers count lines or rows. */
export type RowUnit = "line" | "row";

/**
 * Returns a cell's value as a string. Returns undefined if the cell is absent, null or empty.
 *
 * @throws SourceError if the value is not a string, number or boolean, or cannot be read exactly.
 */
export function cellText({ line, cells }: Row, column: string): string | undefined {
  const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
  if (cell === undefined || cell === null || cell === "") return undefined;
  if (typeof cell === "string") return cell;
  if (typeof cell === "number" && Number.isInteger(cell) && !Number.isSafeInteger(cell))
    throw new SourceError(line, `${column} is too large for a JSON number; write it as a string`);
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  throw new SourceError(line, `${column} must be a string, a number or a boolean`);
}

/** Maximum length of a quoted text from a file, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 60;

/** Shortens a string from a file for a message, and escapes control characters. */
export function shown(text: string): string {
  return escaped(excerpt(text, MAX_SHOWN_LENGTH));
}

/** Checks a file's columns. @throws SourceError if a required column is absent or occurs twice. */
export function requireColumns(needed: readonly string[], there: readonly string[]): void {
  const twice = needed.find((column) => there.indexOf(column) !== there.lastIndexOf(column));
  if (twice !== undefined) throw new SourceError(undefined, `has the column ${twice} twice`);
  const missing = needed.filter((column) => !there.includes(column));
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "column" : "columns";
  throw new SourceError(undefined, `has no ${what} ${missing.join(", ")}; it has ${shown(there.join(", "))}`);
}
