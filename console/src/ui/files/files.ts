import type { EntriesSelection } from "#console/api/requests.js";
import { isoDate } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";

/**
 * Makes a file name without extension, such as `outcomes_1-1234-android-0a1b_2025-03-01_2025-03-28`. Replaces
 * the characters of app ids that file names cannot contain.
 */
export function fileNameOf(name: string, { app, range }: EntriesSelection): string {
  const appId = app === "-" ? "all-apps" : app.replace(/[^\w.-]+/g, "-");
  return [name, appId, isoDate(range.first), isoDate(range.last)].join("_");
}

/** Time allowed for the browser to read the file that it saves. */
const READ_WITHIN_MS = 60_000;

/** Makes the browser save a file. */
export function download(content: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS);
}

/** The picture of a chart as a file. */
export interface ChartFile {
  /** Short name of the chart: `outcomes`. */
  readonly name: string;
  /** Name of the file without its extension. */
  readonly fileName: string;
  /** Line below the title of the picture: the app and the days shown. */
  readonly subtitle: string;
}

/** Names the picture of a chart that shows the entries of a selection. */
export const chartFileOf = (name: string, selection: EntriesSelection): ChartFile => ({
  name,
  fileName: fileNameOf(name, selection),
  subtitle: `${selection.app} · ${formatRange(selection.range)} · days in Los Angeles time`,
});

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
