import { excerpt } from "../limits/excerpt.js";

/** Characters of a text that is told among many, such as one in each line. */
const LONGEST = 64;

/** Foreign text as it may stand in a message: short, and free of control characters. */
export const printable = (text: string): string =>
  excerpt(text, LONGEST).replace(/[\p{Cc}\p{Surrogate}]/gu, "\u{fffd}");
