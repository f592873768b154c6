import { type ReactNode, useMemo } from "react";
import { useAppNames, useProjectNames } from "#console/api/registry-queries.js";
import { formatRange } from "#console/model/days/format-day.js";
import type { Choices } from "#console/parts/selection.js";
import { Picker } from "#console/ui/choose/picker.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import { visitedProjects, withVisit } from "#console/ui/view/visits.js";
import styles from "./project-and-app.module.css";
import { projectOptions } from "./project-options.js";

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function ProjectAndApp({ choices }: { choices: Choices }): ReactNode {
  const { projects, apps, project, app } = choices;
  const { tab } = useView();
  const names = useProjectNames();
  const appNames = useAppNames(project?.id);
  const nameOf = (id: string): string => appNames?.get(id) ?? id;
  const current = project?.id;
  const options = useMemo(() => {
    const visited = current === undefined ? visitedProjects() : withVisit(visitedProjects(), current);
    return projectOptions(projects.data ?? [], names ?? NO_NAMES, visited);
  }, [projects.data, names, current]);
  return (
    <>
      <Picker
        label="Project"
        className={styles.project}
        shown={project === undefined ? "Choose" : (names?.get(project.id) ?? project.id)}
        query={projects}
        options={options}
        chosen={project === undefined ? [] : [project.id]}
        // Apps and labels belong to one project.
        onChoose={(id) =>
          changeView({
            project: id,
            app: undefined,
            attestedApp: undefined,
            tab: tab === "incidents" || tab === "integrity" || tab === "settings" ? tab : "project",
            labels: undefined,
            comparison: { kind: "labels", left: undefined, right: undefined },
          })
        }
      />
      <Picker
        label="Android app"
        className={styles.app}
        shown={app === undefined ? (tab === "project" ? "All apps" : "Choose") : nameOf(app.id)}
        query={apps}
        options={(apps.data ?? []).map(({ id, days }) => ({
          value: id,
          text: nameOf(id),
          ...(nameOf(id) !== id && { names: [id] }),
          note: days && formatRange(days),
        }))}
        chosen={app === undefined ? [] : [app.id]}
        onChoose={(id) =>
          changeView({
            app: id,
            tab: tab === "project" ? "overview" : tab,
            labels: undefined,
            comparison: { kind: "labels", left: undefined, right: undefined },
          })
        }
      />
    </>
  );
}
