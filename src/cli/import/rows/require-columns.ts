import { shown } from "../row.js";
import { SourceError } from "../source-error.js";

/** @throws SourceError unless all needed columns are there. */
export function requireColumns(needed: readonly string[], there: readonly string[]): void {
  const missing = needed.filter((column) => !there.includes(column));
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "column" : "columns";
  throw new SourceError(undefined, `has no ${what} ${missing.join(", ")}, but ${shown(there.join(", "))}`);
}
