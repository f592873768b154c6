import { type LazyExoticComponent, lazy, type ReactNode, Suspense, useMemo } from "react";
import type { Day } from "../../../src/model/day.js";
import { blockingError } from "../api/blocking-error.js";
import type { Tab, View } from "../model/view/view.js";
import { resolveRange } from "../model/view/view.js";
import { NoEntriesYet } from "../parts/no-entries.js";
import { SelectionContext } from "../parts/selection.js";
import type { Choices } from "../parts/use-choices.js";
import { Failure } from "../ui/states/failure.js";
import { Notice } from "../ui/states/notice.js";
import { Skeleton } from "../ui/states/skeleton.js";
import { FilterBar } from "./choose/filter-bar.js";
import { FaultBoundary } from "./fault-boundary.js";

const PARTS: Readonly<Record<Tab, LazyExoticComponent<() => ReactNode>>> = {
  overview: lazy(() => import("../parts/overview/overview.js")),
  labels: lazy(() => import("../parts/labels/labels.js")),
  entries: lazy(() => import("../parts/entries/entries.js")),
  compare: lazy(() => import("../parts/compare/compare.js")),
  integrity: lazy(() => import("../parts/integrity/attested-apps.js")),
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
    <Notice title="You may not read any project">
      <p>
        Ask the operator of the server for the viewer role on a project. Roles are granted to the name in your
        token.
      </p>
    </Notice>
  ) : (
    <Notice title={`You have no permission to see the project ${named}`}>
      <p>
        It may not exist. Choose another one above, or ask the operator of the server for the viewer role on
        it.
      </p>
    </Notice>
  );
}
