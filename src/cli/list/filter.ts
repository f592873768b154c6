/** Flags that select entries. */
export interface FilterFlags {
  /** First day, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly to?: string;
  /** Labels of which an entry must have one; the empty label stands for messages without a label. */
  readonly label?: readonly string[];
  /** A filter in the API's filter language (AIP-160). */
  readonly filter?: string;
}

/**
 * Builds a filter (AIP-160) that combines all flags. Dates and labels have been validated and contain no
 * quotes.
 */
export function filterOf({ from, to, label, filter }: FilterFlags): string | undefined {
  return joinFilter(filter, [
    ...(from === undefined ? [] : [`date >= "${from}"`]),
    ...(to === undefined ? [] : [`date <= "${to}"`]),
    ...labelConditions(label),
  ]);
}

/** Returns the condition that a label is one of several, if there are any. */
export function labelConditions(label: readonly string[] = []): readonly string[] {
  const labels = label.map((each) => `analyticsLabel = "${each}"`);
  return labels.length > 1 ? [`(${labels.join(" OR ")})`] : labels;
}

/** Joins the user's filter, if there is one, with conditions that must hold too. */
export function joinFilter(filter = "", conditions: readonly string[]): string | undefined {
  if (conditions.length === 0) return filter === "" ? undefined : filter;
  // The user's filter comes first, because the server reports errors by position.
  return (filter === "" ? conditions : [`(${filter})`, ...conditions]).join(" AND ");
}

/** Tells whether a text is a calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` accepts February 30, as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
