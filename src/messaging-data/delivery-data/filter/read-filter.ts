import { createHash } from "node:crypto";
import { ApiError } from "../../../api/api-error.js";
import { conditionOf } from "./condition.js";
import { FilterError } from "./filter-error.js";
import type { FilterLanguage } from "./filter-language.js";
import { trim } from "./lexer.js";
import { parseFilter } from "./parser.js";

/** Maximum length of a filter, in characters. */
const MAX_LENGTH = 4_000;

/** A parsed filter. */
export interface ListFilter<Condition> {
  readonly condition: Condition;
  /** Short digest of the filter's text. */
  readonly digest: string;
}

/**
 * Parses a filter (AIP-160).
 *
 * @returns `undefined` if the filter is blank.
 * @throws ApiError `INVALID_FILTER`, with the position of the error.
 */
export function readFilter<Condition>(
  text: string,
  language: FilterLanguage<Condition>,
): ListFilter<Condition> | undefined {
  const filter = trim(text);
  if (filter === "") return undefined;
  try {
    if (filter.length > MAX_LENGTH)
      throw new FilterError(MAX_LENGTH, `a filter may have at most ${MAX_LENGTH} characters`);
    const expression = parseFilter(text);
    if (expression === undefined) return undefined;
    return { condition: conditionOf(expression, language), digest: digestOf(filter) };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const position = [...text.slice(0, error.at)].length + 1;
    throw ApiError.invalidArgument("INVALID_FILTER", "filter", `at character ${position}: ${error.message}`);
  }
}

const digestOf = (filter: string): string =>
  createHash("sha256").update(filter).digest("base64url").slice(0, 22);
