import { useMemo } from "react";
import { useGroups, useIncidents, useKnownIncidents } from "#console/api/queries.js";
import { blockingError } from "#console/api/read-state.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { chartDaysOf } from "#console/model/figures/chart-day.js";
import { byUrgency, type Incident, isAbout, lasts } from "#console/model/figures/incident.js";
import type { ComparedDays } from "#console/model/figures/key-figures.js";
import { daysToAsk, type OverviewDays, overviewOf } from "#console/model/figures/overview-days.js";
import { type Band, usualBandOf } from "#console/model/figures/usual-band.js";
import { earlierRange } from "#console/model/view/chosen-range.js";
import { type Shown, useKept } from "#console/ui/states/loaded.js";
import { useView } from "#console/ui/view/use-view.js";
import { useSelection } from "../selection.js";

/** Data for the overview and its loading state. */
export interface Overview {
  readonly shown: Shown<{ readonly selection: EntriesSelection; readonly days: OverviewDays }>;
  readonly error: Error | undefined;
  readonly incidents: OverviewIncidents | undefined;
  /** True if the incidents could not be read. */
  readonly lacksIncidents: boolean;
}

/** Incidents for the figures on the page. */
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
    lacksIncidents: blockingError(incidents) !== undefined,
  };
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
