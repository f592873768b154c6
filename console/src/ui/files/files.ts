import type { EntriesSelection } from "#console/api/requests.js";
import { formatRange } from "#console/model/days/format-day.js";
import { formatDay } from "#src/model/day.js";

/**
 * Returns a file name without extension, such as `outcomes_1-1234-android-0a1b_2025-03-01_2025-03-28`. Replaces
 * characters that file names cannot contain.
 */
export function fileNameOf(name: string, { app, range }: EntriesSelection): string {
  const appId = app === "-" ? "all-apps" : app.replace(/[^\w.-]+/g, "-");
  return [name, appId, formatDay(range.first), formatDay(range.last)].join("_");
}

/** How long the browser can read the saved file. */
const READ_WITHIN_MS = 60_000;

export function download(content: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS);
}

/** Names for a saved chart. */
export interface ChartFile {
  /** Short chart name: `outcomes`. */
  readonly name: string;
  /** File name without extension. */
  readonly fileName: string;
  /** Line below the title in the image: app and days. */
  readonly subtitle: string;
}

export const chartFileOf = (name: string, selection: EntriesSelection): ChartFile => ({
  name,
  fileName: fileNameOf(name, selection),
  subtitle: `${selection.app} · ${formatRange(selection.range)} · days in Los Angeles time`,
});

/** Matches a spreadsheet formula's first character (OWASP, "CSV Injection"), or the apostrophe that escapes it. */
const FORMULA_LIKE = /^['=+\-@\t\r]/;
/** Matches a character that needs quotes. Includes separators beyond RFC 4180, because some programs split at them. */
const TO_BE_QUOTED = /[",;\t\r\n ]/;

export type CsvValue = string | number | undefined;

/**
 * Formats a CSV line (RFC 4180), including its line break. Numbers have all digits. Undefined becomes an empty cell.
 * Text that a spreadsheet would run as a formula gets a leading apostrophe, which marks it as text. So does text that
 * starts with an apostrophe: to restore any text, remove one leading apostrophe. Numbers never look like formulas,
 * because counts and shares are not negative.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(",")}\r\n`;

function cellOf(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const guarded = FORMULA_LIKE.test(value) ? `'${value}` : value;
  return TO_BE_QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
