import { type LazyExoticComponent, lazy, type ReactNode, Suspense, useMemo } from "react";
import type { Day } from "../../../src/model/day.js";
import { FilterBar } from "../choose/filter-bar.js";
import type { Choices } from "../choose/use-choices.js";
import { resolveRange } from "../days/resolve-range.js";
import { SelectionContext } from "../delivery/selection.js";
import { blockingError } from "../states/blocking-error.js";
import { Failure } from "../states/failure.js";
import { NoEntriesYet } from "../states/no-entries.js";
import { Notice } from "../states/notice.js";
import { Skeleton } from "../states/skeleton.js";
import type { Tab, View } from "../view/view.js";
import { FaultBoundary } from "./fault-boundary.js";

const PARTS: Readonly<Record<Tab, LazyExoticComponent<() => ReactNode>>> = {
  overview: lazy(() => import("../delivery/overview/overview.js")),
  labels: lazy(() => import("../delivery/labels/labels.js")),
  entries: lazy(() => import("../delivery/entries/entries.js")),
  compare: lazy(() => import("../delivery/compare/compare.js")),
  integrity: lazy(() => import("../integrity/attested-apps.js")),
};

/** Approximate height of a part in pixels. Reserves room, which keeps the content below from jumping. */
const PART_HEIGHT = 900;

/** Shows the chosen part, or explains why it is not available. */
export function Content({ view, choices, listed }: { view: View; choices: Choices; listed: Day }): ReactNode {
  const { projects, apps, project, app } = choices;
  const range = useMemo(() => resolveRange(view.range, listed), [view.range, listed]);
  const selection = useMemo(
    () =>
      project &&
      app && { project: project.projectId ?? "", app: app.appId ?? "", range, labels: view.labels },
    [project, app, range, view.labels],
  );
  const Part = PARTS[view.tab];
  const part = (
    <FaultBoundary key={view.tab}>
      <Suspense fallback={<Skeleton height={PART_HEIGHT} />}>
        <Part />
      </Suspense>
    </FaultBoundary>
  );

  const noProjects = blockingError(projects);
  if (noProjects !== undefined) return <Failure error={noProjects} retry={() => void projects.refetch()} />;
  if (projects.data === undefined) return <Skeleton height={PART_HEIGHT} />;
  if (project === undefined) return <NoProject named={view.project} />;
  if (view.tab === "integrity") return part;
  const noApps = blockingError(apps);
  if (noApps !== undefined) return <Failure error={noApps} retry={() => void apps.refetch()} />;
  if (apps.data === undefined) return <Skeleton height={PART_HEIGHT} />;
  if (selection === undefined) return <NoEntriesYet app={view.app} listed={listed} />;
  return (
    <SelectionContext value={selection}>
      <FilterBar view={view} selection={selection} listed={listed} />
      {part}
    </SelectionContext>
  );
}

function NoProject({ named }: { named: string | undefined }): ReactNode {
  return named === undefined ? (
    <Notice title="There is no project that you may read">
      <p>
        Ask whoever runs the server for the viewer role on a project. It is given to the name that your token
        carries.
      </p>
    </Notice>
  ) : (
    <Notice title={`You have no permission to see the project ${named}`}>
      <p>
        It may also not exist. Choose another one above, or ask whoever runs the server for the viewer role on
        it.
      </p>
    </Notice>
  );
}
