import { skipToken, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, use, useEffect } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import type { AndroidApp, Project } from "#console/api/waybill-api.js";
import type { DayActions } from "#console/ui/charts/frame/use-cursor.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import { visitedProjects } from "#console/ui/view/visits.js";

/** The selected entries: the view with relative days resolved. */
export const SelectionContext = createContext<EntriesSelection | undefined>(undefined);

/** Returns the current selection. @throws Error if no app is chosen. */
export function useSelection(): EntriesSelection {
  const selection = use(SelectionContext);
  if (selection === undefined) throw new Error("no app is chosen");
  return selection;
}

/** A click on a day opens its labels. A drag zooms in. */
export const TO_LABELS: DayActions = {
  open: (range, category) => {
    changeView({
      tab: "labels",
      range: { kind: "own", range },
      // The label table has a column for each category. The worst label comes first.
      ...(category && { sorting: { column: category, descending: category !== "delivered" } }),
    });
    // The focused chart is gone, so the focus moves to the top.
    document.getElementById("main")?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  },
  zoom: (range) => changeView({ range: { kind: "own", range } }),
};

/** Available and chosen projects and apps. */
export interface Choices {
  readonly projects: UseQueryResult<readonly Project[]>;
  readonly apps: UseQueryResult<readonly AndroidApp[]>;
  /** Undefined if the chosen project is not in the list. */
  readonly project: Project | undefined;
  /** Undefined if the chosen app is not in the list. */
  readonly app: AndroidApp | undefined;
}

/**
 * Reads projects and apps. If the URL names none, chooses the project that was visited last, or else the first one, and the
 * first app unless the page shows all of several apps.
 */
export function useChoices(): Choices {
  const { api } = useServices();
  const view = useView();
  const projects = useQuery({ queryKey: ["projects"], queryFn: ({ signal }) => api.projects(signal) });
  const project =
    chosenOf(projects.data, view.project ?? lastVisited(projects.data), ({ id, number }, text) =>
      [id, number].includes(text),
    ) ??
    assumed(projects, view.project ?? visitedProjects()[0], (id) => ({ id, number: "", isMirrored: false }));
  const projectId = project?.id;
  const apps = useQuery({
    queryKey: ["androidApps", projectId],
    queryFn: projectId === undefined ? skipToken : ({ signal }) => api.androidApps(projectId, signal),
  });
  const showsSeveral = view.tab === "project" && view.app === undefined && (apps.data ?? []).length > 1;
  const app = showsSeveral
    ? undefined
    : (chosenOf(apps.data, view.app, ({ id }, text) => id === text) ??
      assumed(apps, view.app, (id) => ({ id, days: undefined })));
  return { projects, apps, project, app };
}

/** Adds the choices to the URL, so that it can be shared. Use it once on the page. */
export function useChoicesInAddress({ projects, project, app }: Choices): void {
  const { project: namedProject, app: namedApp, tab, page } = useView();
  // The last visited project may no longer exist.
  const projectId = projects.data && project?.id;
  const appId = app?.id;
  useEffect(() => {
    // Keeps the page number, because the list stays the same.
    if (namedProject === undefined && projectId !== undefined)
      changeView({ project: projectId, page }, "replace");
    if (namedApp === undefined && appId !== undefined)
      changeView({ app: appId, tab: tab === "project" ? "overview" : tab, page }, "replace");
  }, [namedProject, projectId, namedApp, appId, tab, page]);
}

/**
 * Assumes that a link, or the last visit, names something that exists until the list has loaded, so that figures are requested at
 * the same time as the lists.
 */
const assumed = <T,>(
  { data, error }: Pick<UseQueryResult<readonly T[]>, "data" | "error">,
  named: string | undefined,
  make: (name: string) => T,
): T | undefined => (data === undefined && error === null && named !== undefined ? make(named) : undefined);

/** Returns the project that was visited last, of those in the list. */
const lastVisited = (projects: readonly Project[] = []): string | undefined =>
  visitedProjects().find((visited) => projects.some(({ id }) => id === visited));

function chosenOf<T>(
  all: readonly T[] | undefined,
  named: string | undefined,
  isNamed: (candidate: T, name: string) => boolean,
): T | undefined {
  return named === undefined ? all?.[0] : all?.find((candidate) => isNamed(candidate, named));
}
