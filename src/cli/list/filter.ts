/** What entries are picked by. */
export interface FilterFlags {
  /** First day, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Last day. */
  readonly to?: string;
  /** Labels, one of which an entry has; the empty one stands for messages without a label. */
  readonly label?: readonly string[];
  /** A filter in the language of the API. */
  readonly filter?: string;
}

/** The filter (AIP-160) for entries that meet all of the flags. Dates and labels have been checked: they hold no quotes. */
export function filterOf({ from, to, label = [], filter = "" }: FilterFlags): string | undefined {
  const labels = label.map((each) => `analyticsLabel = "${each}"`);
  const conditions = [
    from === undefined ? [] : `date >= "${from}"`,
    to === undefined ? [] : `date <= "${to}"`,
    labels.length > 1 ? `(${labels.join(" OR ")})` : labels,
  ].flat();
  if (conditions.length === 0) return filter === "" ? undefined : filter;
  // First, since the server tells by their position what characters are wrong.
  return (filter === "" ? conditions : [`(${filter})`, ...conditions]).join(" AND ");
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // February 30 parses, as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
