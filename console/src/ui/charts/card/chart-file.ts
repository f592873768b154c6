import type { EntriesSelection } from "#console/api/requests.js";
import { formatRange } from "#console/model/days/format-day.js";
import { fileNameOf } from "#console/ui/files/file-name.js";

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
