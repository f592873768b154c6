import { type DayRange, formatDay } from "../model/day.js";
import { isLabel } from "../model/names.js";

/** Dates and labels of delivery-data entries. */
export interface EntryChoice {
  readonly range: DayRange;
  /** Labels to include, "" for messages without one; undefined for all. */
  readonly labels: readonly string[] | undefined;
  /** A label to leave out, "" for messages without one. */
  readonly exceptLabel?: string;
}

/** Converts a choice of entries to a filter (AIP-160). */
export function entryFilter({ range, ...of }: EntryChoice): string {
  const dates = `date >= "${formatDay(range.first)}" AND date <= "${formatDay(range.last)}"`;
  return [dates, ...labelConditions(of)].join(" AND ");
}

/** Returns the conditions for labels. Skips invalid labels. Valid labels need no escaping. */
export function labelConditions({
  labels,
  exceptLabel,
}: Pick<EntryChoice, "labels" | "exceptLabel">): readonly string[] {
  const others =
    exceptLabel === undefined || !isText(exceptLabel) ? [] : [`NOT analyticsLabel = "${exceptLabel}"`];
  if (labels === undefined) return others;
  const values = labels.filter(isText).map((label) => `"${label}"`);
  if (values.length === 0) return [`analyticsLabel = ""`, "analyticsLabel:*"];
  return [`analyticsLabel = ${values.length === 1 ? values[0] : `(${values.join(" OR ")})`}`, ...others];
}

/** Returns true for a valid label, and for the text that stands for none. */
const isText = (label: string): boolean => label === "" || isLabel(label);
