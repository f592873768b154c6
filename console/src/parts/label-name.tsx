import type { ReactNode } from "react";
import { joinClasses } from "#console/ui/elements/basics.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { labelText } from "#src/presentation/field-text.js";
import styles from "./label-name.module.css";

/** A label that links to its overview. */
export function LabelName({
  label,
  app,
}: {
  label: string;
  /** Omitted for the app in view. */
  app?: string;
}): ReactNode {
  return (
    <ViewLink
      change={{ tab: "overview", labels: [label], ...(app !== undefined && { app, sorting: undefined }) }}
      className={joinClasses(styles.name, label === "" && styles.unlabelled)}
    >
      {labelText(label)}
    </ViewLink>
  );
}
