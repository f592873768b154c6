import { type ReactNode, useMemo } from "react";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { useView } from "#console/ui/view/use-view.js";
import { useChoices, useSelection } from "../selection.js";
import { AppsCard } from "./apps-card.js";
import { useAppFigures } from "./use-app-figures.js";

/** Approximate height of the table, in pixels. */
const HEIGHT = 900;

/** All apps of a project, side by side. */
export default function Project(): ReactNode {
  const selection = useSelection();
  const { earlier } = useView();
  const { apps } = useChoices();
  const ids = useMemo(() => (apps.data ?? []).map(({ appId = "" }) => appId), [apps.data]);
  const { rows, trendDays, daysOf, sums, lacksIncidents } = useAppFigures(selection, ids, earlier);
  const now = useMemo(
    () => rows && { rows, trendDays, daysOf, range: selection.range, earlier },
    [rows, trendDays, daysOf, selection.range, earlier],
  );
  const shown = useKept(now, selection);
  return (
    <Loaded shown={shown} queries={sums} height={HEIGHT}>
      {(figures) => <AppsCard {...figures} project={selection.project} lacksIncidents={lacksIncidents} />}
    </Loaded>
  );
}
