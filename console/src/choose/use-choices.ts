import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type {
  AndroidAppJson,
  ProjectJson,
} from "../../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { useServices } from "../app/services.js";
import { changeView } from "../view/use-view.js";
import type { View } from "../view/view.js";

/** What can be chosen, and what is. */
export interface Choices {
  readonly projects: UseQueryResult<readonly ProjectJson[]>;
  readonly apps: UseQueryResult<readonly AndroidAppJson[]>;
  /** Undefined if it is not among them. */
  readonly project: ProjectJson | undefined;
  /** Undefined if it is not among them. */
  readonly app: AndroidAppJson | undefined;
}

/** What the viewer may choose from. As long as nothing is chosen, the first of each is. */
export function useChoices(view: View): Choices {
  const { api } = useServices();
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
  const app = chosenOf(apps.data, view.app, ({ appId }, text) => appId === text);

  const { project: namedProject, app: namedApp } = view;
  const appId = app?.appId;
  useEffect(() => {
    if (namedProject === undefined && projectId !== "") changeView({ project: projectId }, "replace");
    if (namedApp === undefined && appId !== undefined) changeView({ app: appId }, "replace");
  }, [namedProject, projectId, namedApp, appId]);
  return { projects, apps, project, app };
}

function chosenOf<T>(
  all: readonly T[] | undefined,
  named: string | undefined,
  isNamed: (candidate: T, name: string) => boolean,
): T | undefined {
  return named === undefined ? all?.[0] : all?.find((candidate) => isNamed(candidate, named));
}
