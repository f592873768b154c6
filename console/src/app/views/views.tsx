import type { ReactNode } from "react";
import { useMayChange } from "#console/api/registry-queries.js";
import { CHANGE_VIEWS, type SavedView } from "#console/model/view/saved-view.js";
import { useDialog } from "#console/parts/change/use-dialog.js";
import { Button } from "#console/ui/elements/basics.js";
import { DeleteViewDialog, RenameViewDialog, SaveViewDialog } from "./change-view-dialogs.js";
import { ShareViewDialog, UnshareViewDialog } from "./share-view-dialogs.js";
import { ViewsDialog } from "./views-dialog.js";

type DialogKind =
  /** With the last change, to announce it. */
  | { readonly kind: "all"; readonly message: string }
  | { readonly kind: "save" }
  | { readonly kind: "rename" | "share" | "unshare" | "delete"; readonly saved: SavedView };

/** A button that opens the saved views of the project, with dialogs to change them. */
export function Views({ project }: { project: string | undefined }): ReactNode {
  const mayChange = useMayChange(project, CHANGE_VIEWS);
  const { shown, open, ends: all } = useDialog<DialogKind>();
  const showAll = (message = ""): void => open({ kind: "all", message });
  const ends = { onClose: () => showAll(), onDone: showAll };
  return (
    <>
      <Button look="plain" disabled={project === undefined} aria-haspopup="dialog" onClick={() => showAll()}>
        Views
      </Button>
      {project !== undefined && shown?.kind === "all" && (
        <ViewsDialog
          project={project}
          message={shown.message}
          mayChange={mayChange}
          onSave={() => open({ kind: "save" })}
          onRename={(saved) => open({ kind: "rename", saved })}
          onShare={(saved) => open({ kind: "share", saved })}
          onUnshare={(saved) => open({ kind: "unshare", saved })}
          onDelete={(saved) => open({ kind: "delete", saved })}
          onClose={all.onClose}
        />
      )}
      {project !== undefined && shown?.kind === "save" && <SaveViewDialog project={project} {...ends} />}
      {project !== undefined && shown?.kind === "rename" && (
        <RenameViewDialog project={project} saved={shown.saved} {...ends} />
      )}
      {shown?.kind === "share" && <ShareViewDialog saved={shown.saved} {...ends} />}
      {shown?.kind === "unshare" && <UnshareViewDialog saved={shown.saved} {...ends} />}
      {project !== undefined && shown?.kind === "delete" && (
        <DeleteViewDialog project={project} saved={shown.saved} {...ends} />
      )}
    </>
  );
}
