import { type ReactNode, useCallback, useMemo, useState } from "react";
import { rangeWithCoverage } from "#console/model/days/coverage.js";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { type AppRow, byTrouble, byVisit } from "#console/model/figures/app-row.js";
import { type ChartDay, commonSpanOf } from "#console/model/figures/chart-day.js";
import { type Earlier, earlierRange } from "#console/model/view/chosen-range.js";
import type { Sorting } from "#console/model/view/view.js";
import { dayScaleOf } from "#console/ui/charts/shapes/scales.js";
import { TREND_WIDTH, Trend } from "#console/ui/charts/sparkline.js";
import { ChoiceRow, SearchField, Segments } from "#console/ui/choose/controls.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import { ShownRows, useFoundRows } from "#console/ui/tables/found-rows.js";
import { isContained, knownSorting, sortRows } from "#console/ui/tables/rows.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import { visitedApps } from "#console/ui/view/visits.js";
import { haveTargets, TARGET_COLUMN } from "../targets/target-column.js";
import { appColumns, WORST_FIRST } from "./app-columns.js";

/** Number of rows shown at first, and added by each click. */
const STEP = 50;

/** No column has this id, so no heading shows an order. */
const BY_VISIT: Sorting = { column: "visit", descending: false };

/** The app table, with a search field. */
export function AppsCard({
  project,
  rows,
  range,
  trendDays,
  daysOf,
  daysBefore,
  earlier,
  lacksIncidents,
}: {
  project: string;
  rows: readonly AppRow[];
  range: DayRange;
  trendDays: DayRange;
  daysOf: (app: string) => readonly ChartDay[] | undefined;
  /** Number of days in the earlier range with entries. Undefined while loading. */
  daysBefore: number | undefined;
  earlier: Earlier;
  /** True if the incidents could not be read. */
  lacksIncidents: boolean;
}): ReactNode {
  const { sorting: chosen } = useView();
  const [visits] = useState(() => visitedApps(project));
  const sorting = knownSorting(sortableColumns, chosen, BY_VISIT);
  const before = earlierRange(range, earlier);
  const isWorstFirst = sorting.column === WORST_FIRST.column && sorting.descending;

  const sorted = useMemo(
    () => sortRows(isWorstFirst ? byTrouble(rows) : byVisit(rows, visits), sortableColumns, sorting),
    [rows, visits, sorting, isWorstFirst],
  );
  const list = useFoundRows(sorted, isFoundBy, STEP);
  const columns = useMemo(() => {
    const span = commonSpanOf(rows.map(({ app }) => daysOf(app)));
    const scale = dayScaleOf(trendDays, 0, TREND_WIDTH);
    return appColumns(
      ({ app }) => <Trend days={daysOf(app)} scale={scale} span={span} />,
      lacksIncidents ? "–" : "…",
    ).filter(({ id }) => id !== TARGET_COLUMN || haveTargets(rows));
  }, [rows, daysOf, trendDays, lacksIncidents]);
  const sort = useCallback((next: Sorting | undefined) => changeView({ sorting: next }, "replace"), []);

  return (
    <Card labelledBy="apps-title">
      <CardHead id="apps-title" title="Apps">
        <p className="soft">
          {formatRange(range)}. Compared with{" "}
          {daysBefore === undefined ? formatRange(before) : rangeWithCoverage(before, daysBefore)}.
          {trendDays.first > range.first && ` Small charts show ${formatRange(trendDays)}.`}
        </p>
      </CardHead>
      <ChoiceRow>
        <SearchField label="Search apps" value={list.search} onChange={list.setSearch} />
        <Segments
          legend="Order"
          segments={[
            {
              title: "Last visited",
              isChosen: sorting === BY_VISIT,
              choose: () => sort(undefined),
            },
            { title: "Worst first", isChosen: isWorstFirst, choose: () => sort(WORST_FIRST) },
          ]}
        />
      </ChoiceRow>
      <DataTable
        caption="Apps"
        columns={columns}
        rows={list.shown}
        rowKey={({ app }) => app}
        sorting={sorting}
        onSort={sort}
        hasCards
      />
      <CardActions>
        <ShownRows rows={list} all={rows.length} what="apps" />
      </CardActions>
    </Card>
  );
}

const isFoundBy = ({ app, name }: AppRow, search: string): boolean => isContained([app, name], search);

const sortableColumns = appColumns(() => null);
