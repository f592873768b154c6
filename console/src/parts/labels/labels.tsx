import type { ReactNode } from "react";
import { useMemo } from "react";
import type { DeliveryGroup } from "../../api/delivery-group.js";
import { useGroups } from "../../api/queries.js";
import { labelRowsOf } from "../../model/figures/label-row.js";
import { Loaded } from "../../ui/states/loaded.js";
import { NoEntries } from "../no-entries.js";
import { SelectionContext, useSelection } from "../selection.js";
import { useShownSelection } from "../use-shown-selection.js";
import { LabelsCard } from "./labels-card.js";

/** Approximate height of the table and the first charts, in pixels. */
const HEIGHT = 900;

/** The labels of an app, side by side. */
export default function Labels(): ReactNode {
  const selection = useSelection();
  const groups = useGroups({ ...selection, groupBy: ["ANALYTICS_LABEL"] });
  const shown = useShownSelection(groups, selection) ?? selection;
  return (
    <Loaded query={groups} height={HEIGHT}>
      {(data) =>
        data.length === 0 ? (
          <NoEntries {...shown} />
        ) : (
          // Keeps the charts on the same days as the table, even while other days load.
          <SelectionContext value={shown}>
            <LabelParts groups={data} />
          </SelectionContext>
        )
      }
    </Loaded>
  );
}

function LabelParts({ groups }: { groups: readonly DeliveryGroup[] }): ReactNode {
  const rows = useMemo(() => labelRowsOf(groups), [groups]);
  return <LabelsCard rows={rows} />;
}
