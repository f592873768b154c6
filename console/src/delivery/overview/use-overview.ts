import { useMemo } from "react";
import type { EntriesSelection } from "../../api/requests.js";
import { chartDaysOf } from "../../charts/chart-day.js";
import { blockingError } from "../../states/blocking-error.js";
import { useSelection } from "../selection.js";
import { useGroups } from "../use-groups.js";
import { useShownSelection } from "../use-shown-selection.js";
import { daysToAsk, type OverviewDays, overviewOf } from "./overview-days.js";

/** What is there of the overview. */
export interface Overview {
  /** What is shown: as long as it is stale, what was selected before. */
  readonly selection: EntriesSelection;
  /** Undefined as long as nothing has come. */
  readonly days: OverviewDays | undefined;
  /** Whether it is what was chosen before, while the rest is on its way. */
  readonly isStale: boolean;
  readonly error: Error | undefined;
  readonly retry: () => void;
}

/** Asks for all that the overview shows, at once. */
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
