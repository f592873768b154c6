import { useMemo } from "react";
import { useGroups, useGroupsIf, useIncidents, useKnownIncidents } from "#console/api/queries.js";
import { blockingError } from "#console/api/read-state.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { chartDaysOf } from "#console/model/figures/chart-day.js";
import { byUrgency, type Incident, isAbout, lasts } from "#console/model/figures/incident.js";
import type { ComparedDays } from "#console/model/figures/key-figures.js";
import {
  daysToAsk,
  type OverviewDays,
  overviewOf,
  possibleStartOf,
} from "#console/model/figures/overview-days.js";
import { type Band, usualBandOf } from "#console/model/figures/usual-band.js";
import { acceptedOf } from "#console/model/numbers/counts.js";
import { earlierRange } from "#console/model/view/chosen-range.js";
import { type Shown, useKept } from "#console/ui/states/loaded.js";
import { useView } from "#console/ui/view/use-view.js";
import type { Day } from "#src/model/day.js";
import { useChoices, useSelection } from "../selection.js";

/** Data for the overview and its loading state. */
export interface Overview {
  readonly shown: Shown<{ readonly selection: EntriesSelection; readonly days: OverviewDays }>;
  readonly error: Error | undefined;
  readonly incidents: OverviewIncidents | undefined;
  /** First day with messages of the chosen labels, if it is one of the compared days, and the app had messages before. */
  readonly start: Day | undefined;
  /** True if the incidents could not be read. */
  readonly lacksIncidents: boolean;
}

export interface OverviewIncidents {
  /** Incidents in the range, most urgent first. */
  readonly ofRange: readonly Incident[];
  /** Incidents on any requested day, including days before the range. */
  readonly all: readonly Incident[];
  /** The usual band on days without incidents. Undefined if there are too few. */
  readonly usual: Band | undefined;
  /** Both ranges by day, to rate changes. Undefined while the earlier range's incidents load. */
  readonly compared: ComparedDays | undefined;
}

/** Reads all data for the overview. Figures do not wait for incidents. */
export function useOverview(): Overview {
  const selection = useSelection();
  const { earlier: earlierChoice } = useView();
  const earlier = useMemo(
    () => earlierRange(selection.range, earlierChoice),
    [selection.range, earlierChoice],
  );
  const withBefore = withEarlierDays(selection);
  const query = useGroups({ ...withBefore, groupBy: ["DATE"] });
  // The first request includes the preceding range.
  const earlierQuery = useGroups({
    ...selection,
    range: earlierChoice === "before" ? withBefore.range : earlier,
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
  const shown = useKept(now, selection);
  // Requests incidents for the chosen days early, while the page still shows other days.
  useIncidents(withBefore);
  const { range } = shown.value?.selection ?? selection;
  const incidents = useIncidents(withEarlierDays(shown.value?.selection ?? selection));
  const all = incidents.data;
  const { value } = shown;
  // The first request includes incidents of the preceding range.
  const earlierIncidents = useKnownIncidents(
    value === undefined || earlierChoice === "before"
      ? withEarlierDays(value?.selection ?? selection)
      : { ...value.selection, range: value.days.earlier },
  );
  return {
    shown,
    error: blockingError(query) ?? blockingError(earlierQuery),
    incidents: useMemo(
      () =>
        all && {
          all,
          ofRange: byUrgency(all.filter(lastsIn(range))),
          usual: value && usualBandOf(value.days.asked, all),
          compared: value && earlierIncidents && comparedDaysOf(value, [...all, ...earlierIncidents]),
        },
      [all, range, value, earlierIncidents],
    ),
    start: useStart(value),
    lacksIncidents: blockingError(incidents) !== undefined,
  };
}

/**
 * Returns the first day with the chosen labels. If an older day is possible, reads sums of all days before the
 * requested ones.
 */
function useStart(
  value: { readonly selection: EntriesSelection; readonly days: OverviewDays } | undefined,
): Day | undefined {
  const chosen = useSelection();
  const { app } = useChoices();
  const { selection = chosen, days } = value ?? {};
  const first = app?.days?.first;
  const last = daysToAsk(selection.range).first - 1;
  const possible =
    selection.labels === undefined || first === undefined ? undefined : days && possibleStartOf(days);
  const mayBeEarlier = possible !== undefined && first !== undefined && first <= last;
  const range = first === undefined || !mayBeEarlier ? selection.range : { first, last };
  const earlier = useGroupsIf(mayBeEarlier, { ...selection, range, groupBy: [] });
  if (possible === undefined || first === undefined || possible <= first) return undefined;
  if (!mayBeEarlier) return possible;
  return earlier.data?.every(({ counts }) => acceptedOf(counts) === 0) ? possible : undefined;
}

const comparedDaysOf = (
  { selection, days }: { readonly selection: EntriesSelection; readonly days: OverviewDays },
  incidents: readonly Incident[],
): ComparedDays => ({
  now: days.rows,
  before: days.earlierRows,
  incidents,
  own: incidents.filter(isAbout(selection.labels)),
});

const withEarlierDays = (selection: EntriesSelection): EntriesSelection => ({
  ...selection,
  range: daysToAsk(selection.range),
});

const lastsIn =
  ({ first, last }: EntriesSelection["range"]) =>
  (incident: Incident): boolean =>
    incident.firstDay <= last && lasts(incident, Math.max(first, incident.firstDay));
