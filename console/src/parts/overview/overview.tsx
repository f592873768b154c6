import { type ReactNode, useMemo } from "react";
import { useAnnotations } from "#console/api/queries.js";
import { isPassing } from "#console/api/read-state.js";
import { chartRange } from "#console/model/days/day-range.js";
import { annotationMarks, annotationsIn } from "#console/model/figures/annotation.js";
import { byUrgency, marksOf } from "#console/model/figures/incident.js";
import { DayNotesContext } from "#console/ui/charts/frame/day-notes.js";
import { DayActionsContext } from "#console/ui/charts/frame/use-cursor.js";
import { Failure } from "#console/ui/states/failure.js";
import { Kept } from "#console/ui/states/loaded.js";
import { NoEntries } from "../placeholders.js";
import { TO_LABELS, useSelection } from "../selection.js";
import { DeliveredCard } from "./delivered-card.js";
import { DeliveryCharts } from "./delivery-charts.js";
import { KeyFigureTiles } from "./key-figure-tiles.js";
import styles from "./overview.module.css";
import { StateOfDelivery } from "./state-of-delivery.js";
import { useOverview } from "./use-overview.js";

/** An app's delivery: in a sentence, by day, in key figures, and by outcome. */
export default function Overview(): ReactNode {
  const {
    shown: { value, isStale, stale },
    error,
    incidents,
    lacksIncidents,
    start,
  } = useOverview();
  const asked = useSelection();
  const { selection = asked, days } = value ?? {};
  const { range } = selection;
  const charted = useMemo(() => chartRange(range), [range]);
  const marks = useMemo(() => incidents && marksOf(byUrgency(incidents.all), charted), [incidents, charted]);
  const { data: recorded } = useAnnotations(selection.project);
  const annotations = useMemo(
    () => annotationsIn(recorded ?? [], selection.app, charted),
    [recorded, selection.app, charted],
  );
  const notes = useMemo(() => annotationMarks(annotations), [annotations]);
  if (error !== undefined && !(days !== undefined && isPassing(error))) return <Failure error={error} />;
  if (days !== undefined && days.rows.length === 0) {
    return (
      <>
        {incidents !== undefined && incidents.ofRange.length > 0 && (
          <StateOfDelivery days={days} incidents={incidents} lacksIncidents={false} />
        )}
        <NoEntries range={days.range} labels={selection.labels} />
      </>
    );
  }
  return (
    <DayActionsContext value={TO_LABELS}>
      <DayNotesContext value={notes}>
        <Kept
          isStale={isStale}
          stale={stale}
          isBusy={days === undefined || isStale}
          className={styles.overview}
        >
          <StateOfDelivery days={days} incidents={incidents} lacksIncidents={lacksIncidents} />
          <DeliveredCard
            selection={selection}
            days={days}
            usual={incidents?.usual}
            incidents={incidents?.all}
            marks={marks}
            annotations={annotations}
          />
          <KeyFigureTiles range={range} days={days} compared={incidents?.compared} start={start} />
          <DeliveryCharts selection={selection} days={days} marks={marks} />
        </Kept>
      </DayNotesContext>
    </DayActionsContext>
  );
}
