import { useMemo } from "react";
import { blockingError } from "../../api/blocking-error.js";
import { useGroups } from "../../api/queries.js";
import type { EntriesSelection } from "../../api/requests.js";
import { chartDaysOf } from "../../model/figures/chart-day.js";
import { daysToAsk, type OverviewDays, overviewOf } from "../../model/figures/overview-days.js";
import { earlierRange } from "../../model/view/chosen-range.js";
import { type Shown, useKept } from "../../ui/states/use-kept.js";
import { useView } from "../../ui/view/use-view.js";
import { useSelection } from "../selection.js";

/** Figures of the overview, as far as they have loaded. */
export interface Overview {
  readonly shown: Shown<{ readonly selection: EntriesSelection; readonly days: OverviewDays }>;
  readonly error: Error | undefined;
}

/** Reads everything that the overview shows, in one request. */
export function useOverview(): Overview {
  const selection = useSelection();
  const { earlier: earlierChoice } = useView();
  const query = useGroups({ ...selection, range: daysToAsk(selection.range), groupBy: ["DATE"] });
  const earlier = useMemo(
    () => earlierRange(selection.range, earlierChoice),
    [selection.range, earlierChoice],
  );
  // The range just before is a part of the first request.
  const earlierQuery = useGroups({
    ...selection,
    range: earlierChoice === "before" ? daysToAsk(selection.range) : earlier,
    groupBy: ["DATE"],
  });
  const groups = query.data;
  const earlierGroups = earlierQuery.data;
  const now = useMemo(
    () =>
      groups &&
      earlierGroups && {
        selection,
        days: overviewOf(chartDaysOf(groups), selection.range, earlier, chartDaysOf(earlierGroups)),
      },
    [groups, earlierGroups, selection, earlier],
  );
  return { shown: useKept(now, selection), error: blockingError(query) ?? blockingError(earlierQuery) };
}
