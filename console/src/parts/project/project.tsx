import { useQueries } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useMemo } from "react";
import { groupsKey, useGroups, useGroupsIf, useOngoingIncidents, useTargets } from "#console/api/queries.js";
import { blockingError, type ReadState } from "#console/api/read-state.js";
import { useAppNames } from "#console/api/registry-queries.js";
import type { EntriesSelection, GroupsQuery } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import { type DayRange, daysIn } from "#console/model/days/day-range.js";
import { type AppRow, appRowsOf, dayChunks, daysByApp, trendRange } from "#console/model/figures/app-row.js";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import { sumOf } from "#console/model/numbers/counts.js";
import { type Earlier, earlierRange } from "#console/model/view/chosen-range.js";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { useView } from "#console/ui/view/use-view.js";
import { useChoices, useSelection } from "../selection.js";
import { useIsLate } from "../use-is-late.js";
import { AppsCard } from "./apps-card.js";
import styles from "./project.module.css";
import { ProjectLabelsCard } from "./project-labels-card.js";
import { ProjectState } from "./project-state.js";

/** Approximate height of the table, in pixels. */
const HEIGHT = 900;
/** Maximum wait for names, the coverage and targets, in milliseconds. Only a service that hangs needs longer. */
const NAMES_MS = 10_000;

/** All apps of a project, side by side. */
export default function Project(): ReactNode {
  const selection = useSelection();
  const { earlier, labels } = useView();
  const { apps } = useChoices();
  const ids = useMemo(() => apps.data?.map(({ id }) => id), [apps.data]);
  const { rows, state, trendDays, daysOf, daysBefore, sums, areRead, lacksIncidents } = useAppFigures(
    selection,
    ids,
    earlier,
    labels,
  );
  const now = useMemo(
    () => rows && state && { rows, state, trendDays, daysOf, daysBefore, range: selection.range, earlier },
    [rows, state, trendDays, daysOf, daysBefore, selection.range, earlier],
  );
  const shown = useKept(now, selection);
  return (
    <Loaded shown={shown} queries={sums} height={HEIGHT}>
      {({ state, ...figures }) => (
        <div className={styles.project}>
          <ProjectState
            {...state}
            earlier={earlierRange(figures.range, figures.earlier)}
            lacksIncidents={lacksIncidents}
          />
          <AppsCard {...figures} project={selection.project} lacksIncidents={lacksIncidents} />
          {figures.rows.length > 1 && (
            <ProjectLabelsCard
              selection={selection}
              earlier={earlier}
              appCount={figures.rows.length}
              ongoing={state.incidents}
              lacksIncidents={lacksIncidents}
              isEnabled={areRead}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Figures for all apps of a project, and their loading state. */
export interface AppFigures {
  /** Undefined until sums for both ranges have loaded. Incidents may load later. */
  readonly rows: readonly AppRow[] | undefined;
  /** Totals and ongoing incidents of all apps. Undefined until sums for both ranges have loaded. */
  readonly state: Omit<ComponentProps<typeof ProjectState>, "earlier" | "lacksIncidents"> | undefined;
  /** Days in the small charts. */
  readonly trendDays: DayRange;
  /** Undefined while loading. */
  readonly daysOf: (app: string) => readonly ChartDay[] | undefined;
  /** Number of days in the earlier range with entries of any app. Undefined while loading. */
  readonly daysBefore: number | undefined;
  /** Queries that the rows need. */
  readonly sums: readonly ReadState[];
  /** True once the figures have been read, so that requests for more do not delay them. */
  readonly areRead: boolean;
  /** True if the incidents could not be read. */
  readonly lacksIncidents: boolean;
}

/**
 * Reads figures for all apps of a project in a few requests, regardless of the number of apps.
 *
 * @param apps undefined while the list loads
 */
function useAppFigures(
  selection: EntriesSelection,
  apps: readonly string[] | undefined,
  earlier: Earlier,
  labels: EntriesSelection["labels"],
): AppFigures {
  const { api } = useServices();
  const { project, range } = selection;
  const sums = useGroups({ ...selection, groupBy: ["APP"] });
  const earlierDays = earlierRange(range, earlier);
  const before = useGroups({ ...selection, range: earlierDays, groupBy: ["APP"] });
  const covered = useGroups({ ...selection, range: earlierDays, groupBy: ["DATE"] });
  const names = useAppNames(project);
  const targets = useTargets(project);
  const labelled = useGroupsIf(labels !== undefined, { ...selection, labels, groupBy: ["APP"] });
  const trendDays = useMemo(() => trendRange(range), [range]);
  const days = useQueries({
    queries: useMemo(
      () =>
        (apps === undefined ? [] : dayChunks(trendDays, apps.length)).map((chunk) => {
          const query: GroupsQuery = { ...selection, range: chunk, groupBy: ["APP", "DATE"] };
          return {
            queryKey: groupsKey(query),
            queryFn: ({ signal }: { signal: AbortSignal }) => api.groups(query, signal),
          };
        }),
      [api, selection, trendDays, apps],
    ),
    combine: joined,
  });
  // Evaluating all apps may keep the service busy, so incidents are requested after the figures.
  const areRead = apps !== undefined && sums.isFetched && before.isFetched && days.isFetched;
  const ongoing = useOngoingIncidents(project, areRead);
  const daysOf = useMemo(() => {
    const byApp = apps && days.data && daysByApp(days.data);
    return (app: string) => byApp && (byApp.get(app) ?? []);
  }, [apps, days.data]);
  // Names, the coverage and targets would move the rows or columns if they appeared later.
  const isLate = useIsLate(before.data ?? selection, NAMES_MS);
  const isReady = isLate || (names !== undefined && covered.isFetched && targets.isFetched);
  const rows = useMemo(
    () =>
      apps &&
      sums.data &&
      before.data &&
      isReady &&
      appRowsOf(apps, sums.data, before.data, ongoing.data, names ?? undefined, labelled.data, targets.data),
    [apps, sums.data, before.data, ongoing.data, names, labelled.data, targets.data, isReady],
  );
  const state = useMemo(() => {
    if (sums.data === undefined || before.data === undefined) return undefined;
    const total = sumOf(sums.data.map(({ counts }) => counts));
    const earlierTotal = sumOf(before.data.map(({ counts }) => counts));
    const areAlike = covered.data?.length === daysIn(range);
    const nameOf = (app: string): string => names?.get(app) ?? app;
    return { total, before: earlierTotal, areAlike, incidents: ongoing.data, nameOf };
  }, [sums.data, before.data, covered.data, range, ongoing.data, names]);
  return {
    rows: rows || undefined,
    state,
    trendDays,
    daysOf,
    daysBefore: covered.data?.length,
    sums: [sums, before],
    areRead,
    lacksIncidents: blockingError(ongoing) !== undefined,
  };
}

/** Joins the data from several queries. Undefined until all have loaded. */
const joined = <T,>(
  results: readonly { readonly data: readonly T[] | undefined; readonly isFetched: boolean }[],
): { readonly data: readonly T[] | undefined; readonly isFetched: boolean } => ({
  data: results.every(({ data }) => data !== undefined)
    ? results.flatMap(({ data = [] }) => data)
    : undefined,
  isFetched: results.every(({ isFetched }) => isFetched),
});
