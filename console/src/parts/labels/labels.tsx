import { type ReactNode, useMemo } from "react";
import { useGroups, useIncidents } from "../../api/queries.js";
import { labelRowsOf } from "../../model/figures/label-row.js";
import { Loaded } from "../../ui/states/loaded.js";
import { useKept } from "../../ui/states/use-kept.js";
import { NoEntries } from "../no-entries.js";
import { SelectionContext, useSelection } from "../selection.js";
import { LabelsCard } from "./labels-card.js";

/** Approximate height of the table and the first charts, in pixels. */
const HEIGHT = 900;

/** The labels of an app, side by side. */
export default function Labels(): ReactNode {
  const selection = useSelection();
  const groups = useGroups({ ...selection, groupBy: ["ANALYTICS_LABEL"] });
  const incidents = useIncidents(selection);
  const now = useMemo(
    () =>
      groups.data &&
      incidents.data && {
        selection,
        rows: labelRowsOf(groups.data, incidents.data),
        incidents: incidents.data,
      },
    [groups.data, incidents.data, selection],
  );
  const shown = useKept(now, selection);
  return (
    <Loaded shown={shown} queries={[groups, incidents]} height={HEIGHT}>
      {({ selection, rows, incidents }) =>
        rows.length === 0 ? (
          <NoEntries {...selection} />
        ) : (
          // Keeps the charts on the same days as the table, even while other days load.
          <SelectionContext value={selection}>
            <LabelsCard rows={rows} incidents={incidents} />
          </SelectionContext>
        )
      }
    </Loaded>
  );
}
