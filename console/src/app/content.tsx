import { Component, type ReactNode, useEffect, useMemo } from "react";
import { blockingError } from "#console/api/read-state.js";
import type { Tab, View } from "#console/model/view/view.js";
import { MirrorNotes } from "#console/parts/mirror/mirror-notes.js";
import { NoEntriesYet } from "#console/parts/placeholders.js";
import { type Choices, SelectionContext } from "#console/parts/selection.js";
import { Failure } from "#console/ui/states/failure.js";
import { Skeleton } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { noteVisit } from "#console/ui/view/visits.js";
import type { Day } from "#src/model/day.js";
import { ALL_APPS } from "#src/model/names.js";
import { resolveRange } from "#src/presentation/chosen-range.js";
import { FilterBar } from "./choose/filter-bar.js";
import { PART_HEIGHT, Part } from "./part.js";
import { isSection, SettingsSections } from "./tabs.js";

/** Parts about a project, without delivery data. */
const OF_PROJECTS: ReadonlySet<Tab> = new Set(["incidents", "integrity", "settings"]);

/** Shows the chosen part, or explains why it is not available. */
export function Content({
  view,
  hasSettings,
  choices,
  listed,
}: {
  view: View;
  /** True if the viewer may see more than one section of the settings. */
  hasSettings: boolean;
  choices: Choices;
  listed: Day;
}): ReactNode {
  const { projects, apps, project, app } = choices;
  const range = useMemo(() => resolveRange(view.range, listed), [view.range, listed]);
  const isOfAllApps = view.tab === "project";
  const appId = isOfAllApps && apps.data?.length !== 0 ? ALL_APPS : app?.id;
  const labels = isOfAllApps ? undefined : view.labels;
  const selection = useMemo(
    () => (project && appId !== undefined ? { project: project.id, app: appId, range, labels } : undefined),
    [project, appId, range, labels],
  );
  const isKnown = projects.data !== undefined && apps.data !== undefined;
  useVisit(isKnown ? project?.id : undefined, isOfAllApps || OF_PROJECTS.has(view.tab) ? undefined : app?.id);
  const part = (
    <ErrorBoundary key={view.tab}>
      <Part tab={view.tab} />
    </ErrorBoundary>
  );

  const noProjects = blockingError(projects);
  if (noProjects !== undefined) return <Failure error={noProjects} />;
  if (projects.data === undefined && project === undefined) return <Skeleton height={PART_HEIGHT} />;
  if (project === undefined) return <NoProject named={view.project} />;
  if (OF_PROJECTS.has(view.tab)) {
    return (
      <>
        {hasSettings && isSection(view.tab) && <SettingsSections view={view} />}
        {part}
      </>
    );
  }
  const noApps = blockingError(apps);
  if (noApps !== undefined) return <Failure error={noApps} />;
  // Figures of all apps are requested at the same time as the list of apps.
  if (apps.data === undefined && app === undefined && !isOfAllApps) return <Skeleton height={PART_HEIGHT} />;
  // A project with a single app opens that app.
  if (isOfAllApps && view.app === undefined && app !== undefined) return <Skeleton height={PART_HEIGHT} />;
  const mirrorNotes = project.isMirrored && (
    <MirrorNotes
      project={project.id}
      app={appId ?? view.app ?? ALL_APPS}
      sums={view.tab === "entries" ? undefined : selection}
    />
  );
  if (selection === undefined) {
    return (
      <>
        {mirrorNotes}
        <NoEntriesYet project={project.id} app={view.app} listed={listed} />
      </>
    );
  }
  return (
    <SelectionContext value={selection}>
      <FilterBar view={view} selection={selection} listed={listed} />
      {mirrorNotes}
      {part}
    </SelectionContext>
  );
}

/** Records that the viewer opened a project, and one of its apps. */
function useVisit(project: string | undefined, app: string | undefined): void {
  useEffect(() => {
    if (project !== undefined) noteVisit(project, app);
  }, [project, app]);
}

function NoProject({ named }: { named: string | undefined }): ReactNode {
  return named === undefined ? (
    <Notice title="You do not have access to any project">
      <p>
        Ask your server operator for the viewer role on a project. Roles are granted to the subject of your
        token.
      </p>
    </Notice>
  ) : (
    <Notice title={`You do not have access to project ${named}`}>
      <p>
        The project may not exist. Choose another one above, or ask your server operator for the viewer role.
      </p>
    </Notice>
  );
}

interface State {
  readonly error: Error | undefined;
}

/** Limits a rendering error to one part of the page. */
class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
