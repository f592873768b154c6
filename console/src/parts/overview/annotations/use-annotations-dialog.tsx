import type { ReactNode } from "react";
import { useMayChange } from "#console/api/registry-queries.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import { type Annotation, CHANGE_ANNOTATIONS } from "#console/model/figures/annotation.js";
import { ConfirmDialog } from "../../change/confirm-dialog.js";
import { type DialogEnds, useDialog } from "../../change/use-dialog.js";
import { AnnotationsDialog } from "./annotations-dialog.js";

type DialogKind = { readonly kind: "all" } | { readonly kind: "delete"; readonly annotation: Annotation };

/** The dialogs about annotations in a chart. */
interface AnnotationsDialogs {
  readonly open: () => void;
  /** The open dialog. */
  readonly shown: ReactNode;
  /** Announces the last change. */
  readonly announcement: ReactNode;
}

/** Lets the viewer see, add and delete annotations. @param annotations annotations in the chart. */
export function useAnnotationsDialog(
  selection: EntriesSelection,
  annotations: readonly Annotation[],
): AnnotationsDialogs {
  const mayChange = useMayChange(selection.project, CHANGE_ANNOTATIONS);
  const dialog = useDialog<DialogKind>();
  return {
    open: () => dialog.open({ kind: "all" }),
    announcement: dialog.announcement,
    shown: (
      <>
        {dialog.shown?.kind === "all" && (
          <AnnotationsDialog
            selection={selection}
            annotations={annotations}
            mayChange={mayChange}
            onDelete={(annotation) => dialog.open({ kind: "delete", annotation })}
            {...dialog.ends}
          />
        )}
        {dialog.shown?.kind === "delete" && (
          <DeleteDialog annotation={dialog.shown.annotation} {...dialog.ends} />
        )}
      </>
    ),
  };
}

function DeleteDialog({ annotation, ...ends }: DialogEnds & { annotation: Annotation }): ReactNode {
  const { api } = useServices();
  const { text } = annotation;
  return (
    <ConfirmDialog
      {...ends}
      title={`Delete ${text}`}
      action="Delete"
      effect="Charts and incidents no longer show it. The audit log keeps it."
      make={() => api.deleteAnnotation(annotation)}
      done={`Deleted ${text}.`}
    />
  );
}
