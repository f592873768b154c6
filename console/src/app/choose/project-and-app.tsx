import type { ReactNode } from "react";
import { formatRange } from "#console/model/days/format-day.js";
import type { Choices } from "#console/parts/selection.js";
import { Picker } from "#console/ui/choose/picker.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import { dayOfJson } from "#src/model/day.js";
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
        shown={project?.projectId ?? "Choose"}
        options={(projects.data ?? []).map(({ projectId = "", name = "" }) => ({
          value: projectId,
          text: projectId,
          note: name.slice("projects/".length),
        }))}
        chosen={project?.projectId === undefined ? [] : [project.projectId]}
        // Apps and labels of the old project mean nothing in the new one.
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
        shown={app?.appId ?? (tab === "project" ? "All apps" : "Choose")}
        options={(apps.data ?? []).map(({ appId = "", firstDate, lastDate }) => ({
          value: appId,
          text: appId,
          note:
            firstDate && lastDate && formatRange({ first: dayOfJson(firstDate), last: dayOfJson(lastDate) }),
        }))}
        chosen={app?.appId === undefined ? [] : [app.appId]}
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
