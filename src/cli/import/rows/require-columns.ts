import { shown } from "../row.js";
import { SourceError } from "../source-error.js";

/** @throws SourceError unless all needed columns are there, each once. */
export function requireColumns(needed: readonly string[], there: readonly string[]): void {
  const twice = needed.find((column) => there.indexOf(column) !== there.lastIndexOf(column));
  if (twice !== undefined) throw new SourceError(undefined, `has the column ${twice} twice`);
  const missing = needed.filter((column) => !there.includes(column));
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "column" : "columns";
  throw new SourceError(undefined, `has no ${what} ${missing.join(", ")}, but ${shown(there.join(", "))}`);
}
