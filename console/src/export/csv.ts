/**
 * What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), and the apostrophe that keeps it from
 * doing so.
 */
const FORMULA_LIKE = /^['=+\-@\t\r]/;
/** A comma is not the only separator that programs look for, whatever RFC 4180 says. */
const TO_BE_QUOTED = /[",;\t\r\n ]/;

/** What a cell holds. */
export type CsvValue = string | number | undefined;

/**
 * A line of a CSV file (RFC 4180), with its end. A number is written in full; undefined is an empty cell.
 *
 * A text that a spreadsheet would run as a formula gets an apostrophe in front of it, which spreadsheets read as "this is
 * text". So does one that begins with an apostrophe: who reads the file by a program gets every text back by taking one
 * apostrophe, if there is any, off its beginning. No number begins like a formula, as none is negative.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(",")}\r\n`;

function cellOf(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const guarded = FORMULA_LIKE.test(value) ? `'${value}` : value;
  return TO_BE_QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
