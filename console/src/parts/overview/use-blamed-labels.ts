import { useCallback, useMemo, useState } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import type { DayRange } from "#console/model/days/day-range.js";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import { blamedLabelsOf, type Incident, lasts } from "#console/model/figures/incident.js";
import type { Day } from "#src/model/day.js";
import { useLabelPeriods } from "../labels/use-label-days.js";

const MAX_BLAMED = 3;
const NO_INCIDENTS: readonly Incident[] = [];

/** The delivered share of a label that an incident blames. */
export interface BlamedLabel {
  readonly label: string;
  readonly rows: readonly ChartDay[];
  /** True while the cursor is on a day of the label's incident. */
  readonly isShown: boolean;
}

/** Reads the labels that incidents blame. The cursor's day determines which of them is shown. */
export function useBlamedLabels(
  selection: EntriesSelection,
  range: DayRange,
  found: readonly Incident[] | undefined,
): { readonly blamed: readonly BlamedLabel[]; readonly pointAt: (day: Day | undefined) => void } {
  const incidents = found ?? NO_INCIDENTS;
  const [shown, setShown] = useState<string>();
  const charted = useMemo(() => ({ ...selection, range }), [selection, range]);
  const labels = useMemo(
    () => blamedLabelsOf(incidents, range, selection.labels).slice(0, MAX_BLAMED),
    [incidents, range, selection.labels],
  );
  const { daysOf } = useLabelPeriods(charted, labels);
  const blamed = useMemo(
    () => labels.map((label) => ({ label, rows: daysOf(label) ?? [], isShown: label === shown })),
    [labels, daysOf, shown],
  );
  const pointAt = useCallback(
    (day: Day | undefined) =>
      setShown(
        day === undefined
          ? undefined
          : labels.find((label) => incidents.some((each) => each.label === label && lasts(each, day))),
      ),
    [labels, incidents],
  );
  return { blamed, pointAt };
}
