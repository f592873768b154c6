import type { ReactNode } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { longDay } from "#console/model/days/format-day.js";
import { ANNOTATION_KINDS, type Annotation } from "#console/model/figures/annotation.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { Button } from "#console/ui/elements/basics.js";
import { Item, ItemList } from "#console/ui/lists/item-list.js";
import type { DialogEnds } from "../../change/use-dialog.js";
import { AddAnnotation } from "./add-annotation.js";

/** Lists the annotations in the chart, and adds one. */
export const AnnotationsDialog = ({
  selection,
  annotations,
  mayChange,
  onDelete,
  onClose,
  onDone,
}: DialogEnds & {
  selection: EntriesSelection;
  annotations: readonly Annotation[];
  /** False if the viewer may not change annotations. */
  mayChange: boolean;
  onDelete: (annotation: Annotation) => void;
}): ReactNode => (
  <Dialog title="Annotations" onClose={onClose}>
    {annotations.length === 0 ? (
      <p className="soft">No annotations on these days.</p>
    ) : (
      <ItemList label="Annotations on these days">
        {annotations.map((annotation) => (
          <Item
            key={annotation.name}
            title={annotation.text}
            details={
              <span>
                {longDay(annotation.day)}, {ANNOTATION_KINDS[annotation.kind].toLowerCase()},{" "}
                {annotation.app === undefined ? "whole project" : "this app"}
              </span>
            }
            actions={
              mayChange && (
                <Button
                  look="small"
                  aria-label={`Delete ${annotation.text}`}
                  onClick={() => onDelete(annotation)}
                >
                  Delete
                </Button>
              )
            }
          />
        ))}
      </ItemList>
    )}
    {mayChange ? (
      <AddAnnotation selection={selection} onClose={onClose} onDone={onDone} />
    ) : (
      <Button onClick={onClose}>Close</Button>
    )}
  </Dialog>
);
