import type { ReactNode } from "react";
import { formatRange } from "#console/model/days/format-day.js";
import type { Choices } from "#console/parts/selection.js";
import { Picker } from "#console/ui/choose/picker.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import styles from "./project-and-app.module.css";

/** Chooses the project and one of its apps. */
export function ProjectAndApp({ choices }: { choices: Choices }): ReactNode {
  const { projects, apps, project, app } = choices;
  const { tab } = useView();
  return (
    <>
      <Picker
        label="Project"
        className={styles.project}
        shown={project?.id ?? "Choose"}
        options={(projects.data ?? []).map(({ id, number }) => ({ value: id, text: id, note: number }))}
        chosen={project === undefined ? [] : [project.id]}
        // Apps and labels belong to one project.
        onChoose={(id) =>
          changeView({
            project: id,
            app: undefined,
            tab: tab === "integrity" ? tab : "project",
            labels: undefined,
            comparison: { kind: "labels", left: undefined, right: undefined },
          })
        }
      />
      <Picker
        label="Android app"
        className={styles.app}
        shown={app?.id ?? (tab === "project" ? "All apps" : "Choose")}
        options={(apps.data ?? []).map(({ id, days }) => ({
          value: id,
          text: id,
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
