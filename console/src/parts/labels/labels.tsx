import { type ReactNode, useMemo } from "react";
import { useGroups, useIncidents, useTargets } from "#console/api/queries.js";
import { blockingError } from "#console/api/read-state.js";
import { labelRowsOf } from "#console/model/figures/label-row.js";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { withUsualDays } from "#src/presentation/usual-days.js";
import { NoEntries } from "../placeholders.js";
import { SelectionContext, useSelection } from "../selection.js";
import { useIsLate } from "../use-is-late.js";
import { LabelsCard } from "./labels-card.js";
import { useIncidentsInRange } from "./use-incidents-in-range.js";

/** Approximate height with the first charts, in pixels. */
const HEIGHT = 900;
/** Maximum wait for incidents and targets, in milliseconds. */
const INCIDENTS_MS = 400;

/** All labels of an app, side by side. */
export default function Labels(): ReactNode {
  const selection = useSelection();
  const groups = useGroups({ ...selection, groupBy: ["ANALYTICS_LABEL"] });
  const usual = useGroups({
    ...selection,
    range: withUsualDays(selection.range),
    groupBy: ["ANALYTICS_LABEL"],
    usualDatesOnly: true,
  });
  const incidents = useIncidents(selection);
  const targets = useTargets(selection.project);
  const hasFailed = blockingError(incidents) !== undefined;
  // Incidents determine the row order, and targets add a column. Neither should change while someone reads the table.
  const isLate = useIsLate(selection, INCIDENTS_MS);
  const inRange = useIncidentsInRange(selection, incidents.data);
  const hasIncidents = (incidents.data !== undefined && inRange !== undefined) || hasFailed;
  const isReady = (hasIncidents && targets.isFetched) || isLate;
  const now = useMemo(
    () =>
      groups.data &&
      isReady && {
        selection,
        rows: labelRowsOf(
          groups.data,
          inRange ?? [],
          usual.data,
          targets.data?.filter(({ app }) => app === selection.app),
        ),
        incidents: incidents.data,
      },
    [groups.data, usual.data, incidents.data, targets.data, inRange, isReady, selection],
  );
  const shown = useKept(now || undefined, selection);
  return (
    <Loaded shown={shown} queries={[groups]} height={HEIGHT}>
      {({ selection, rows, incidents }) =>
        rows.length === 0 ? (
          <NoEntries {...selection} />
        ) : (
          // Charts show the same days as the table, even while other days load.
          <SelectionContext value={selection}>
            <LabelsCard rows={rows} incidents={incidents} lacksIncidents={hasFailed} />
          </SelectionContext>
        )
      }
    </Loaded>
  );
}
