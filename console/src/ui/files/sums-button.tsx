import type { ReactNode } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { isoDate } from "#console/model/days/day-range.js";
import { FIGURE_FIELDS } from "#console/model/figures/figure-fields.js";
import type { Counts } from "#console/model/numbers/counts.js";
import { csvLine, download, fileNameOf } from "./files.js";

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

/** The sum of the entries of one app, range and label. */
interface SumRow {
  readonly selection: Pick<EntriesSelection, "app" | "range">;
  /** Empty for messages without a label; undefined for several labels together. */
  readonly label: string | undefined;
  readonly counts: Counts;
}

/** A CSV file of sums: a line for each, below a line with the field names of the contract. */
function sumsFile(rows: readonly SumRow[]): Blob {
  const names = [
    "appId",
    "firstDate",
    "lastDate",
    "analyticsLabel",
    ...FIGURE_FIELDS.map(({ name }) => name),
  ];
  const lines = rows.map(({ selection: { app, range }, label, counts }) =>
    csvLine([
      app,
      isoDate(range.first),
      isoDate(range.last),
      label,
      ...FIGURE_FIELDS.map(({ read }) => read(counts)),
    ]),
  );
  return new Blob([csvLine(names), ...lines], { type: "text/csv;charset=utf-8;header=present" });
}
