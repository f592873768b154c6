import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, use, useEffect } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import type { DayActions } from "#console/ui/charts/frame/use-cursor.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import type {
  AndroidAppJson,
  ProjectJson,
} from "#src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

/** The selection that the parts of the console show: the view with relative days resolved. */
export const SelectionContext = createContext<EntriesSelection | undefined>(undefined);

/** The current selection. @throws Error if no app is chosen. */
export function useSelection(): EntriesSelection {
  const selection = use(SelectionContext);
  if (selection === undefined) throw new Error("no app is chosen");
  return selection;
}

/** From a day to its labels, and from many days to some. */
export const TO_LABELS: DayActions = {
  open: (range, category) => {
    changeView({
      tab: "labels",
      range: { kind: "own", range },
      // The table has a column for each category. The worst comes first.
      ...(category && { sorting: { column: category, descending: category !== "delivered" } }),
    });
    // The chart that had the focus is gone; the labels begin at the top.
    document.getElementById("main")?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  },
  zoom: (range) => changeView({ range: { kind: "own", range } }),
};

/** Projects and apps to choose from, and the chosen ones. */
export interface Choices {
  readonly projects: UseQueryResult<readonly ProjectJson[]>;
  readonly apps: UseQueryResult<readonly AndroidAppJson[]>;
  /** Undefined if the chosen project is not in the list. */
  readonly project: ProjectJson | undefined;
  /** Undefined if the chosen app is not in the list. */
  readonly app: AndroidAppJson | undefined;
}

/**
 * Reads the projects and apps to choose from. If the address names none, the first project is chosen, and the
 * first app unless the page shows all of several apps.
 */
export function useChoices(): Choices {
  const { api } = useServices();
  const view = useView();
  const projects = useQuery({ queryKey: ["projects"], queryFn: ({ signal }) => api.projects(signal) });
  const project = chosenOf(projects.data, view.project, ({ projectId, name }, text) =>
    [projectId, name?.slice("projects/".length)].includes(text),
  );
  const projectId = project?.projectId ?? "";
  const apps = useQuery({
    queryKey: ["androidApps", projectId],
    queryFn: ({ signal }) => api.androidApps(projectId, signal),
    enabled: project !== undefined,
  });
  const showsSeveral = view.tab === "project" && view.app === undefined && (apps.data ?? []).length > 1;
  const app = showsSeveral ? undefined : chosenOf(apps.data, view.app, ({ appId }, text) => appId === text);
  return { projects, apps, project, app };
}

/** Adds the choices to an address that lacks them, which makes it shareable. Use it once on the page. */
export function useChoicesInAddress({ project, app }: Choices): void {
  const { project: namedProject, app: namedApp, tab, page } = useView();
  const projectId = project?.projectId;
  const appId = app?.appId;
  useEffect(() => {
    // The list stays the same, and so does its page.
    if (namedProject === undefined && projectId !== undefined)
      changeView({ project: projectId, page }, "replace");
    if (namedApp === undefined && appId !== undefined)
      changeView({ app: appId, tab: tab === "project" ? "overview" : tab, page }, "replace");
  }, [namedProject, projectId, namedApp, appId, tab, page]);
}

function chosenOf<T>(
  all: readonly T[] | undefined,
  named: string | undefined,
  isNamed: (candidate: T, name: string) => boolean,
): T | undefined {
  return named === undefined ? all?.[0] : all?.find((candidate) => isNamed(candidate, named));
}
