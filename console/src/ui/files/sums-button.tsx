import type { ReactNode } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { CATEGORY_GROUPS, shareOf } from "#console/model/numbers/categories.js";
import { acceptedOf, type Counts, notificationsOf } from "#console/model/numbers/counts.js";
import { formatDay } from "#src/model/day.js";
import { csvLine, download, fileNameOf } from "./files.js";

/** Saves sums as a CSV file. */
export const SumsButton = ({
  name,
  selection,
  rowsOf,
}: {
  /** File name prefix. */
  name: string;
  selection: EntriesSelection;
  /** Returns the rows on a click. */
  rowsOf: () => readonly SumRow[];
}): ReactNode => (
  <button type="button" onClick={() => download(sumsFile(rowsOf()), `${fileNameOf(name, selection)}.csv`)}>
    <span className="visually-hidden">Download </span>CSV
  </button>
);

/** A sum for one app, range and label. */
interface SumRow {
  readonly selection: Pick<EntriesSelection, "app" | "range">;
  /** Empty for messages without a label. Undefined for several labels. */
  readonly label: string | undefined;
  readonly counts: Counts;
}

/** A figure in the file, named as in the contract. `read` returns undefined for a share with denominator 0. */
interface FigureField {
  readonly name: string;
  readonly read: (counts: Counts) => number | undefined;
}

/**
 * Every figure of a sum, in the column order of an entry. Percentages have names such as
 * `messageOutcomePercents.delivered`.
 */
const FIGURE_FIELDS: readonly FigureField[] = [
  { name: "countMessagesAccepted", read: acceptedOf },
  { name: "countNotificationsAccepted", read: notificationsOf },
  ...CATEGORY_GROUPS.flatMap((group) =>
    group.categories.map(({ name }) => ({
      name: `${group.field}.${name}`,
      read: (counts: Counts) => shareOf(counts, group, name),
    })),
  ),
];

/** Creates a CSV file: a line of field names, and a line for each sum. */
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
      formatDay(range.first),
      formatDay(range.last),
      label,
      ...FIGURE_FIELDS.map(({ read }) => read(counts)),
    ]),
  );
  return new Blob([csvLine(names), ...lines], { type: "text/csv;charset=utf-8;header=present" });
}
