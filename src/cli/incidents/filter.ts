import { type FilterFlags, joinFilter, labelConditions } from "../list/filter.js";

/** Flags that select incidents; the days are those on which they lasted. */
export interface IncidentFilterFlags extends FilterFlags {
  /** True for incidents that go on. */
  readonly ongoing?: boolean;
}

/** Builds a filter (AIP-160) that combines all flags. Dates and labels have been validated and contain no quotes. */
export function incidentFilterOf(flags: IncidentFilterFlags): string | undefined {
  const { from, to, label, ongoing, filter } = flags;
  return joinFilter(filter, [
    ...(ongoing ? ["NOT endDate:*"] : []),
    ...(from === undefined ? [] : [`(endDate >= "${from}" OR NOT endDate:*)`]),
    ...(to === undefined ? [] : [`startDate <= "${to}"`]),
    ...labelConditions(label),
  ]);
}
