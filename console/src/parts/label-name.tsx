import type { ReactNode } from "react";
import { labelText } from "../model/view/label-text.js";
import { ViewLink } from "../ui/view/view-link.js";

/** A label, linked to the overview of its messages. */
export function LabelName({ label }: { label: string }): ReactNode {
  return (
    <ViewLink
      change={{ tab: "overview", labels: [label] }}
      className={label === "" ? "label-name unlabelled" : "label-name"}
    >
      {labelText(label)}
    </ViewLink>
  );
}
