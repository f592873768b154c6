import { useMemo, useState } from "react";
import type { DeliveryGroup } from "../../api/delivery-group.js";
import { chartDaysOf } from "../../charts/chart-day.js";
import type { DayRange } from "../../days/day-range.js";
import { useSelection } from "../selection.js";
import { useGroups } from "../use-groups.js";
import { daysToAsk, type OverviewDays, overviewOf } from "./overview-days.js";

/** What is there of the overview. */
export interface Overview {
  /** Undefined as long as nothing has come. */
  readonly days: OverviewDays | undefined;
  /** Whether it is what was chosen before, while the rest is on its way. */
  readonly isStale: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Asks for all that the overview shows, at once. */
export function useOverview(): Overview {
  const selection = useSelection();
  const { range } = selection;
  const query = useGroups({ ...selection, range: daysToAsk(range), groupBy: ["DATE"] });
  const groups = query.data;
  // What was shown before is of the range that was chosen then.
  const [settled, setSettled] = useState<{ groups: readonly DeliveryGroup[]; range: DayRange }>();
  const isStale = query.isPlaceholderData;
  if (groups !== undefined && !isStale && (settled?.groups !== groups || settled.range !== range)) {
    setSettled({ groups, range });
  }
  const shownRange = isStale ? settled?.range : range;
  const days = useMemo(
    () => groups && shownRange && overviewOf(chartDaysOf(groups), shownRange),
    [groups, shownRange],
  );
  return { days, isStale, error: query.error, retry: () => void query.refetch() };
}
