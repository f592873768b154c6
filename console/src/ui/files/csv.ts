/**
 * Matches a formula's beginning as spreadsheets see it (OWASP, "CSV Injection"), or the apostrophe that
 * disarms one.
 */
const FORMULA_LIKE = /^['=+\-@\t\r]/;
/**
 * Matches a character that forces quotes. Includes separators beyond RFC 4180, because some programs look for
 * them.
 */
const TO_BE_QUOTED = /[",;\t\r\n ]/;

export type CsvValue = string | number | undefined;

/**
 * Writes a line of a CSV file (RFC 4180), with its line break. Numbers are written in full; undefined is an
 * empty cell.
 * A text that a spreadsheet would run as a formula gets a leading apostrophe, which spreadsheets read as
 * "this is text". A text that begins with an apostrophe gets one too: programs restore every text by removing
 * one leading apostrophe, if present. Numbers never look like formulas, because no count or share is
 * negative.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(",")}\r\n`;

function cellOf(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const guarded = FORMULA_LIKE.test(value) ? `'${value}` : value;
  return TO_BE_QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
