import { type ReactNode, useCallback, useMemo, useState } from "react";
import { commonSpanOf } from "#console/model/figures/chart-day.js";
import {
  eventText,
  figuresText,
  type Incident,
  rankIncidents,
  scopeText,
} from "#console/model/figures/incident.js";
import type { LabelRow } from "#console/model/figures/label-row.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import type { Sorting } from "#console/model/view/view.js";
import { DayActionsContext } from "#console/ui/charts/frame/use-cursor.js";
import { dayScaleOf } from "#console/ui/charts/shapes/scales.js";
import { TREND_WIDTH, Trend } from "#console/ui/charts/sparkline.js";
import { ChoiceRow, SearchField } from "#console/ui/choose/controls.js";
import { Button } from "#console/ui/elements/basics.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { Help } from "#console/ui/elements/help.js";
import { SumsButton } from "#console/ui/files/sums-button.js";
import { Failure } from "#console/ui/states/failure.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import { ShownRows, useFoundRows } from "#console/ui/tables/found-rows.js";
import { knownSorting, sortRows, type TableColumn } from "#console/ui/tables/rows.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import { labelText } from "#src/presentation/field-text.js";
import { MissingIncidents } from "../placeholders.js";
import { TO_LABELS, useSelection } from "../selection.js";
import { haveTargets, TARGET_COLUMN } from "../targets/target-column.js";
import { DEFAULT_SORTING, FIRST_COLUMNS, isLabelFound, labelColumns } from "./label-columns.js";
import styles from "./labels-card.module.css";
import { SmallMultiples } from "./small-multiples.js";
import { type LabelDays, useLabelPeriods } from "./use-label-days.js";

/** Number of rows shown at first, and added by each click, or while scrolling. */
const STEP = 24;
/** Maximum height of a table with more rows, in pixels. */
const MAX_HEIGHT = 720;

/** The label table, and a small chart for each label. */
export function LabelsCard({
  rows,
  incidents,
  lacksIncidents,
}: {
  rows: readonly LabelRow[];
  /** Undefined while loading, or if they could not be read. */
  incidents: readonly Incident[] | undefined;
  /** True if they could not be read. */
  lacksIncidents: boolean;
}): ReactNode {
  const selection = useSelection();
  const sorting = knownSorting(sortableColumns, useView().sorting, DEFAULT_SORTING);
  const [showsAll, setShowsAll] = useState(false);
  const [ticked, setTicked] = useState<readonly string[]>([]);

  const sorted = useMemo(() => sortRows(rows, sortableColumns, sorting), [rows, sorting]);
  const list = useFoundRows(sorted, isLabelFound, STEP);
  const { shown } = list;
  const labelDays = useLabelPeriods(
    selection,
    useMemo(() => shown.map(({ label }) => label), [shown]),
  );
  const { daysOf } = labelDays;
  const hasTargets = haveTargets(rows);
  const all = useColumns(shown, daysOf, ticked, setTicked);
  const columns = useMemo(() => {
    const isShown = (id: string): boolean =>
      id === TARGET_COLUMN ? hasTargets : showsAll || FIRST_COLUMNS.has(id);
    // Always shows the sorted column.
    return all.filter(({ id }) => isShown(id) || id === sorting.column);
  }, [all, hasTargets, showsAll, sorting.column]);
  const sort = useCallback((next: Sorting) => changeView({ sorting: next }, "replace"), []);
  const [left, right] = ticked;

  return (
    <div className={styles.parts}>
      <Card labelledBy="labels-title">
        <CardHead id="labels-title" title="Labels">
          <Blame incidents={incidents} lacksIncidents={lacksIncidents} />
        </CardHead>
        <ChoiceRow>
          <SearchField label="Search labels" value={list.search} onChange={list.setSearch} />
        </ChoiceRow>
        <DataTable
          caption="Labels"
          columns={columns}
          rows={shown}
          rowKey={({ label }) => label}
          sorting={sorting}
          onSort={sort}
          maxHeight={rows.length > STEP ? MAX_HEIGHT : undefined}
          onNearEnd={list.showMore}
          hasCards
        />
        <HowDecided />
        <CardActions
          end={
            <>
              <Button look="plain" onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? "Fewer columns" : "All columns"}
              </Button>
              <SumsButton
                name="labels"
                selection={selection}
                rowsOf={() => list.found.map(({ label, counts }) => ({ selection, label, counts }))}
              />
              <ShownRows rows={list} all={rows.length} what="labels" />
            </>
          }
        >
          <button
            type="button"
            disabled={right === undefined}
            onClick={() => changeView({ tab: "compare", comparison: { kind: "labels", left, right } })}
          >
            Compare two labels
          </button>
          <span className="small soft" role="status">
            {right === undefined
              ? "Select two labels to compare."
              : `${labelText(left)} and ${labelText(right)}`}
          </span>
        </CardActions>
      </Card>
      {labelDays.error === undefined ? (
        <DayActionsContext value={TO_LABELS}>
          <SmallMultiples rows={shown} daysOf={daysOf} />
        </DayActionsContext>
      ) : (
        <Failure error={labelDays.error} />
      )}
    </div>
  );
}

const sortableColumns = labelColumns(
  () => null,
  () => null,
);

/** Returns all columns, with checkboxes to compare labels, and small charts of the same scale. */
function useColumns(
  shown: readonly LabelRow[],
  daysOf: LabelDays["daysOf"],
  ticked: readonly string[],
  setTicked: (change: (ticked: readonly string[]) => readonly string[]) => void,
): readonly TableColumn<LabelRow>[] {
  const { range } = useSelection();
  const span = useMemo(() => commonSpanOf(shown.map(({ label }) => daysOf(label))), [shown, daysOf]);
  const scale = useMemo(() => dayScaleOf(range, 0, TREND_WIDTH), [range]);
  return useMemo(() => {
    // A third label replaces the first of two.
    const tick = (label: string): void =>
      setTicked((now) =>
        now.includes(label) ? now.filter((other) => other !== label) : [...now, label].slice(-2),
      );
    return labelColumns(
      ({ label }) => (
        <input
          type="checkbox"
          aria-label={`Compare ${labelText(label)}`}
          checked={ticked.includes(label)}
          onChange={() => tick(label)}
        />
      ),
      ({ label }) => <Trend days={daysOf(label)} scale={scale} span={span} />,
    );
  }, [ticked, setTicked, daysOf, scale, span]);
}

/** Maximum number of listed incidents. The table includes all. */
const LISTED = 3;

/** Explains the table's columns. */
const HowDecided = (): ReactNode => (
  <Help>
    <p className="soft">
      Incident detection needs 14 days with messages for a label. The usual delivered share comes from days
      without an incident, in this range and the 28 days before. Undelivered messages are pending, collapsed,
      dropped or unaccounted for. The tick on a bar is the label's share of accepted messages. A bar past the
      tick means that the label loses more than its share.
    </p>
  </Help>
);

/** Lists incidents, most excess messages first. */
function Blame({
  incidents,
  lacksIncidents,
}: {
  /** Undefined while loading, or if they could not be read. */
  incidents: readonly Incident[] | undefined;
  /** True if they could not be read. */
  lacksIncidents: boolean;
}): ReactNode {
  const { labels } = useSelection();
  const ranked = rankIncidents(incidents ?? []);
  return (
    <>
      {incidents === undefined && <MissingIncidents failed={lacksIncidents} />}
      {incidents?.length === 0 && <p>No incidents on these days.</p>}
      {ranked.slice(0, LISTED).map((incident) => (
        <p key={`${incident.label} ${incident.kind} ${incident.outcome} ${incident.firstDay}`}>
          <strong>{eventText(incident)}</strong>: {figuresText(incident)}.{scopeText(incident, labels)}
        </p>
      ))}
      {ranked.length > LISTED && <p>Smaller incidents: {formatCount(ranked.length - LISTED)}.</p>}
    </>
  );
}
