import type { Comparison, EntryFilter } from "../../delivery-data-store.js";
import { integerLiteral, textLiteral } from "../literals.js";

/** Converts a filter to a condition on `entries`. The engine compares strings by their bytes. */
export function filterCondition(filter: EntryFilter): string {
  switch (filter.kind) {
    case "and":
      return join(filter.operands, "AND", "1");
    case "or":
      return join(filter.operands, "OR", "0");
    case "not":
      return `NOT (${filterCondition(filter.operand)})`;
    case "day":
      return `day ${filter.comparison} ${integerLiteral(filter.day)}`;
    case "label":
      return labelCondition(filter.comparison, filter.label);
    case "pattern":
      return patternCondition(filter.pieces);
  }
}

function join(operands: readonly EntryFilter[], operator: string, ofNone: string): string {
  if (operands.length === 0) return ofNone;
  return `(${operands.map((operand) => `(${filterCondition(operand)})`).join(` ${operator} `)})`;
}

/**
 * Returns a condition that matches a pattern in linear time. Labels contain no NUL character, which would end the
 * pattern in older engines.
 */
function patternCondition(pieces: readonly string[]): string {
  if (pieces.some((piece) => piece.includes("\0"))) return "0";
  return `label LIKE ${textLiteral(pieces.map(escapePattern).join("%"))}`;
}

/**
 * Returns a condition that compares labels with a string. Labels contain no NUL character. Older engines append one to
 * each string before they compare it, so that `a` equals `a\0`.
 */
function labelCondition(comparison: Comparison, text: string): string {
  const end = text.indexOf("\0");
  if (end < 0) return `label ${comparison} ${textLiteral(text)}`;
  const before = textLiteral(text.slice(0, end));
  switch (comparison) {
    case "=":
      return "0";
    case "!=":
      return "1";
    case "<":
    case "<=":
      return `label <= ${before}`;
    case ">":
    case ">=":
      return `label > ${before}`;
  }
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
