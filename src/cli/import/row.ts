import { escaped, excerpt } from "../../limits/excerpt.js";

/** A file cannot be read as rows, or one of its rows is no event. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  /** Number of the line or row, from 1; undefined if the problem is not in a certain one. */
  readonly line: number | undefined;

  constructor(line: number | undefined, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.line = line;
  }
}

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
  return escaped(excerpt(text, MAX_SHOWN_LENGTH));
}

/** @throws SourceError unless all needed columns are there, each once. */
export function requireColumns(needed: readonly string[], there: readonly string[]): void {
  const twice = needed.find((column) => there.indexOf(column) !== there.lastIndexOf(column));
  if (twice !== undefined) throw new SourceError(undefined, `has the column ${twice} twice`);
  const missing = needed.filter((column) => !there.includes(column));
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "column" : "columns";
  throw new SourceError(undefined, `has no ${what} ${missing.join(", ")}, but ${shown(there.join(", "))}`);
}
