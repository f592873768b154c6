import { useMemo } from "react";
import { blockingError } from "../../api/blocking-error.js";
import { useGroups } from "../../api/queries.js";
import type { EntriesSelection } from "../../api/requests.js";
import { chartDaysOf } from "../../model/figures/chart-day.js";
import { daysToAsk, type OverviewDays, overviewOf } from "../../model/figures/overview-days.js";
import { useSelection } from "../selection.js";
import { useShownSelection } from "../use-shown-selection.js";

/** Data of the overview, as far as it has loaded. */
export interface Overview {
  /** The selection shown; while stale, the previous one. */
  readonly selection: EntriesSelection;
  /** Undefined until the first data has loaded. */
  readonly days: OverviewDays | undefined;
  /** True while data of the previous selection is shown and the rest is loading. */
  readonly isStale: boolean;
  readonly error: Error | undefined;
  readonly retry: () => void;
}

/** Reads everything that the overview shows, in one request. */
export function useOverview(): Overview {
  const selection = useSelection();
  const { range } = selection;
  const query = useGroups({ ...selection, range: daysToAsk(range), groupBy: ["DATE"] });
  const groups = query.data;
  const shown = useShownSelection(query, selection);
  const shownRange = shown?.range;
  const days = useMemo(
    () => groups && shownRange && overviewOf(chartDaysOf(groups), shownRange),
    [groups, shownRange],
  );
  const retry = (): void => void query.refetch();
  return {
    selection: shown ?? selection,
    days,
    isStale: query.isPlaceholderData,
    error: blockingError(query),
    retry,
  };
}
