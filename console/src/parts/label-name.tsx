import type { ReactNode } from "react";
import { labelText } from "../model/view/label-text.js";
import { joinClasses } from "../ui/elements/join-classes.js";
import { ViewLink } from "../ui/view/view-link.js";
import styles from "./label-name.module.css";

/** A label, linked to the overview of its messages. */
export function LabelName({ label }: { label: string }): ReactNode {
  return (
    <ViewLink
      change={{ tab: "overview", labels: [label] }}
      className={joinClasses(styles.name, label === "" && styles.unlabelled)}
    >
      {labelText(label)}
    </ViewLink>
  );
}
