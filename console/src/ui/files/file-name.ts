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
