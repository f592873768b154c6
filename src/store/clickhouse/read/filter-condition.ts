import type { Comparison, EntryFilter } from "../../delivery-data-store.js";
import { integerLiteral, textLiteral } from "../literals.js";

/** Compiles a filter to a condition on rows of `entries`. The engine compares texts by their bytes. */
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

/** Matches labels with a pattern, in linear time. Labels have no zero byte, which would end a pattern in older engines. */
function patternCondition(pieces: readonly string[]): string {
  if (pieces.some((piece) => piece.includes("\0"))) return "0";
  return `label LIKE ${textLiteral(pieces.map(escapePattern).join("%"))}`;
}

/**
 * Compares labels with a text. Labels have no zero byte; older engines compare texts as if one followed each of them,
 * which would find the text `a` equal to `a\0`.
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

/** Escapes what means something in a pattern. */
const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
