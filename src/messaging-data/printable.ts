import { excerpt } from "../limits/excerpt.js";

/** Longest excerpt in a message that reports many, such as one for each line, in characters. */
const MAX_LENGTH = 64;

/** Prepares a caller's text for a message: shortens it and replaces control characters. */
export const printable = (text: string): string =>
  excerpt(text, MAX_LENGTH).replace(/[\p{Cc}\p{Surrogate}]/gu, "\u{fffd}");
