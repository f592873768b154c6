import type { ReactNode } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { download } from "./download.js";
import { fileNameOf } from "./file-name.js";
import { type SumRow, sumsFile } from "./sums-file.js";

/** Saves sums as a CSV file. */
export const SumsButton = ({
  name,
  selection,
  rowsOf,
}: {
  /** Name of the file, before the app and the days. */
  name: string;
  selection: EntriesSelection;
  /** Makes the rows once they are asked for. */
  rowsOf: () => readonly SumRow[];
}): ReactNode => (
  <button type="button" onClick={() => download(sumsFile(rowsOf()), `${fileNameOf(name, selection)}.csv`)}>
    <span className="visually-hidden">Download </span>CSV
  </button>
);
