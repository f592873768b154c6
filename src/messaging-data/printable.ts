import { excerpt } from "../limits/excerpt.js";

/** Longest excerpt in a message that reports many, such as one for each line, in characters. */
const MAX_LENGTH = 64;

/** Prepares the text of another for a message: shortens it and replaces control characters. */
export const printable = (text: string, max = MAX_LENGTH): string =>
  excerpt(text, max).replace(/[\p{Cc}\p{Surrogate}]/gu, "\u{fffd}");
