import { useMemo } from "react";
import { blockingError } from "../../api/blocking-error.js";
import { useGroups } from "../../api/queries.js";
import type { EntriesSelection } from "../../api/requests.js";
import { chartDaysOf } from "../../model/figures/chart-day.js";
import { daysToAsk, type OverviewDays, overviewOf } from "../../model/figures/overview-days.js";
import { type Shown, useKept } from "../../ui/states/use-kept.js";
import { useSelection } from "../selection.js";

/** Figures of the overview, as far as they have loaded. */
export interface Overview {
  readonly shown: Shown<{ readonly selection: EntriesSelection; readonly days: OverviewDays }>;
  readonly error: Error | undefined;
}

/** Reads everything that the overview shows, in one request. */
export function useOverview(): Overview {
  const selection = useSelection();
  const query = useGroups({ ...selection, range: daysToAsk(selection.range), groupBy: ["DATE"] });
  const groups = query.data;
  const now = useMemo(
    () => groups && { selection, days: overviewOf(chartDaysOf(groups), selection.range) },
    [groups, selection],
  );
  return { shown: useKept(now, selection), error: blockingError(query) };
}
