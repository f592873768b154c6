import { type ReactNode, useMemo, useState } from "react";
import { useGroupsIf } from "#console/api/queries.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { commonSpanOf } from "#console/model/figures/chart-day.js";
import type { Incident } from "#console/model/figures/incident.js";
import { type ProjectLabelRow, projectLabelRowsOf } from "#console/model/figures/project-label-row.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { type Earlier, earlierRange } from "#console/model/view/chosen-range.js";
import type { Sorting } from "#console/model/view/view.js";
import { dayScaleOf } from "#console/ui/charts/shapes/scales.js";
import { TREND_WIDTH, Trend } from "#console/ui/charts/sparkline.js";
import { ChoiceRow, SearchField } from "#console/ui/choose/controls.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import { ShownRows, useFoundRows } from "#console/ui/tables/found-rows.js";
import { sortRows, type TableColumn } from "#console/ui/tables/rows.js";
import { labelText } from "#src/presentation/field-text.js";
import { LabelName } from "../label-name.js";
import { isLabelFound } from "../labels/label-columns.js";
import { useLabelGroups, useLabelPeriods } from "../labels/use-label-days.js";
import styles from "./app-columns.module.css";
import { shareColumns } from "./share-columns.js";

/** Number of rows shown at first. Each click adds twice as many. */
const STEP = 12;
/** Approximate height of the first rows, in pixels. */
const HEIGHT = 600;
const WORST_FIRST: Sorting = { column: "incidents", descending: true };

/** The labels of all apps together. A label that fell in several apps is one row. */
export function ProjectLabelsCard({
  selection,
  earlier,
  appCount,
  ongoing,
  lacksIncidents,
  isEnabled,
}: {
  /** Selects all apps. */
  selection: EntriesSelection;
  earlier: Earlier;
  appCount: number;
  /** Ongoing incidents of all apps. Undefined while loading, or if they could not be read. */
  ongoing: readonly Incident[] | undefined;
  /** True if the incidents could not be read. */
  lacksIncidents: boolean;
  /** False to delay the requests. */
  isEnabled: boolean;
}): ReactNode {
  const now = useGroupsIf(isEnabled, { ...selection, groupBy: ["ANALYTICS_LABEL"] });
  const range = earlierRange(selection.range, earlier);
  const before = useGroupsIf(isEnabled, { ...selection, range, groupBy: ["ANALYTICS_LABEL"] });
  const rows = useMemo(
    () => now.data && before.data && { rows: projectLabelRowsOf(now.data, before.data, ongoing), selection },
    [now.data, before.data, ongoing, selection],
  );
  const shown = useKept(rows, selection);
  return (
    <Loaded shown={shown} queries={[now, before]} height={HEIGHT}>
      {(figures) =>
        figures.rows.some(({ label }) => label !== "") && (
          <LabelsTable {...figures} appCount={appCount} unknown={lacksIncidents ? "–" : "…"} />
        )
      }
    </Loaded>
  );
}

function LabelsTable({
  rows,
  selection,
  appCount,
  unknown,
}: {
  rows: readonly ProjectLabelRow[];
  selection: EntriesSelection;
  appCount: number;
  /** Text for unknown incidents. */
  unknown: string;
}): ReactNode {
  const [sorting, setSorting] = useState(WORST_FIRST);
  const sorted = useMemo(() => sortRows(rows, sortableColumns, sorting), [rows, sorting]);
  const list = useFoundRows(sorted, isLabelFound, STEP, 2 * STEP);
  const { shown } = list;
  const labels = useMemo(() => shown.map(({ label }) => label), [shown]);
  const { daysOf } = useLabelPeriods(selection, labels);
  const { groupsOf, error } = useLabelGroups(selection, labels, "APP", appCount);
  const columns = useMemo(() => {
    const span = commonSpanOf(labels.map(daysOf));
    const scale = dayScaleOf(selection.range, 0, TREND_WIDTH);
    return labelColumns(
      (label) => groupsOf(label)?.flatMap(({ app }) => app ?? []),
      ({ label }) => <Trend days={daysOf(label)} scale={scale} span={span} />,
      { incidents: unknown, apps: error === undefined ? "…" : "–" },
    );
  }, [labels, daysOf, groupsOf, error, selection.range, unknown]);
  return (
    <Card labelledBy="project-labels-title">
      <CardHead id="project-labels-title" title="Labels of the project">
        <p className="soft">All apps together.</p>
      </CardHead>
      <ChoiceRow>
        <SearchField label="Search labels" value={list.search} onChange={list.setSearch} />
      </ChoiceRow>
      <DataTable
        caption="Labels of the project"
        columns={columns}
        rows={shown}
        rowKey={({ label }) => label}
        sorting={sorting}
        onSort={setSorting}
        hasCards
      />
      <CardActions>
        <ShownRows rows={list} all={rows.length} what="labels" />
      </CardActions>
    </Card>
  );
}

/**
 * Returns the table's columns.
 *
 * @param appsOf returns the apps with messages of a label. Undefined while loading, or if they could not be read
 * @param trend renders a label's small chart
 * @param unknown texts for unknown incidents and apps
 */
const labelColumns = (
  appsOf: (label: string) => readonly string[] | undefined,
  trend: (row: ProjectLabelRow) => ReactNode,
  unknown = { incidents: "–", apps: "–" },
): readonly TableColumn<ProjectLabelRow>[] => [
  {
    id: "label",
    title: "Label",
    kind: "text",
    cellOf: ({ label, troubled }) => {
      const app = troubled?.[0] ?? appsOf(label)?.[0];
      return app === undefined ? labelText(label) : <LabelName label={label} app={app} />;
    },
    sortKeyOf: ({ label }) => label,
  },
  {
    id: WORST_FIRST.column,
    title: "Ongoing incidents",
    meaning: "Apps in which the label has an ongoing incident. Sorted by excess messages.",
    kind: "number",
    cellOf: ({ troubled }) => {
      if (troubled === undefined) return unknown.incidents;
      if (troubled.length === 0) return <span className="soft">0</span>;
      const apps = `${formatCount(troubled.length)} ${troubled.length === 1 ? "app" : "apps"}`;
      return <span className={styles.incidents}>{apps}</span>;
    },
    sortKeyOf: ({ excess }) => excess,
  },
  {
    id: "apps",
    title: "Apps",
    meaning: "Apps with messages of the label.",
    kind: "number",
    cellOf: ({ label }) => {
      const apps = appsOf(label);
      return apps === undefined ? unknown.apps : formatCount(apps.length);
    },
  },
  ...shareColumns<ProjectLabelRow>(),
  { id: "trend", title: "Delivered by day", kind: "text", cellOf: trend },
];

const sortableColumns = labelColumns(
  () => undefined,
  () => null,
);
