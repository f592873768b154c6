import type { DuckDBValue } from "@duckdb/node-api";
import { at } from "../../../model/collections.js";
import type { EntryFilter } from "../../delivery-data-store.js";
import { listValue } from "../engine.js";

/** A filter as SQL. All values from clients are parameters. */
export interface FilterCondition {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, DuckDBValue>>;
}

/** Converts a filter to a condition on `entries`. Filters of the same form have the same SQL. */
export function filterCondition(filter: EntryFilter): FilterCondition {
  const parameters: Record<string, DuckDBValue> = {};
  let count = 0;
  const bind = (value: DuckDBValue): string => {
    const name = `filter_${++count}`;
    parameters[name] = value;
    return `$${name}`;
  };
  return { sql: compile(filter, bind), parameters };
}

/** Adds a parameter. @returns its placeholder. */
type Bind = (value: DuckDBValue) => string;

function compile(filter: EntryFilter, bind: Bind): string {
  switch (filter.kind) {
    case "and":
      return join(filter.operands, "AND", "true", bind);
    case "or":
      return join(filter.operands, "OR", "false", bind);
    case "not":
      return `NOT ${compile(filter.operand, bind)}`;
    case "day":
      return `(day ${filter.comparison} ${bind(filter.day)})`;
    case "label":
      return `(label ${filter.comparison} ${bind(filter.label)})`;
    case "pattern":
      return patternCondition(filter.pieces, bind);
  }
}

function join(operands: readonly EntryFilter[], operator: string, ofNone: string, bind: Bind): string {
  if (operands.length === 0) return ofNone;
  return `(${operands.map((operand) => compile(operand, bind)).join(` ${operator} `)})`;
}

/**
 * Returns a condition that matches a pattern. `LIKE` is not used, because it would need exponential time in the number
 * of wildcards.
 */
function patternCondition(pieces: readonly string[], bind: Bind): string {
  const start = bind(at(pieces, 0));
  const end = bind(at(pieces, pieces.length - 1));
  const between = pieces.slice(1, -1);
  const conditions = [
    `starts_with(label, ${start})`,
    `ends_with(label, ${end})`,
    `length(label) >= length(${start}) + length(${end})`,
  ];
  const rest = `substr(label, length(${start}) + 1, length(label) - length(${start}) - length(${end}))`;
  if (between.length === 1) {
    conditions.push(`contains(${rest}, ${bind(at(between, 0))})`);
  } else if (between.length > 1) {
    // Removes the text up to and including the first occurrence of each piece. The result is NULL if a piece does not
    // occur.
    const list = `list_prepend(${rest}, ${bind(listValue(between))}::VARCHAR[])`;
    const behind = "substr(rest, instr(rest, piece) + length(piece))";
    const step = `lambda rest, piece: CASE WHEN contains(rest, piece) THEN ${behind} END`;
    conditions.push(`list_reduce(${list}, ${step}) IS NOT NULL`);
  }
  return `(${conditions.join(" AND ")})`;
}
