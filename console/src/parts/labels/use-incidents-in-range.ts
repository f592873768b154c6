import { useMemo } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { useLastListedDay } from "#console/api/services.js";
import { totalOf } from "#console/model/figures/chart-day.js";
import { excessAmong, type Incident, isInside, isOfShare, lasts } from "#console/model/figures/incident.js";
import { useLabelDays } from "./use-label-days.js";

const NONE: readonly Incident[] = [];

/**
 * Returns the labels' incidents with their excess in the selected days only, as the other figures of the table. Reads the
 * days of labels with an incident that is partly outside.
 *
 * @returns undefined while days are loading; incidents with their whole excess if they could not be read
 */
export function useIncidentsInRange(
  selection: EntriesSelection,
  incidents: readonly Incident[] = NONE,
): readonly Incident[] | undefined {
  const { range } = selection;
  const listed = useLastListedDay();
  const labels = useMemo(() => {
    const cut = incidents.filter((incident) => isOfShare(incident) && !isInside(incident, range, listed));
    return [...new Set(cut.flatMap(({ label }) => label ?? []))];
  }, [incidents, range, listed]);
  const { daysOf, error } = useLabelDays(selection, labels);
  return useMemo(() => {
    if (error !== undefined) return incidents;
    const clipped: Incident[] = [];
    for (const incident of incidents) {
      if (incident.label === undefined || !isOfShare(incident) || isInside(incident, range, listed)) {
        clipped.push(incident);
        continue;
      }
      const days = daysOf(incident.label);
      if (days === undefined) return undefined;
      const counts = totalOf(days.filter(({ day }) => lasts(incident, day)));
      clipped.push({ ...incident, excess: excessAmong(incident, counts) });
    }
    return clipped;
  }, [incidents, range, listed, daysOf, error]);
}
