import { type ReactNode, useState } from "react";
import { useSavedViews } from "#console/api/queries.js";
import { useAppNames } from "#console/api/registry-queries.js";
import { formatInstant } from "#console/model/days/format-day.js";
import { type SavedView, savedQueryOf } from "#console/model/view/saved-view.js";
import { labelsText, TAB_TITLES } from "#console/model/view/view.js";
import { WithState } from "#console/parts/change/change-form.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { Button } from "#console/ui/elements/basics.js";
import { Item, ItemList } from "#console/ui/lists/item-list.js";
import { addressOf, useView, ViewLink } from "#console/ui/view/use-view.js";
import styles from "./views-dialog.module.css";

interface ViewActions {
  /** False if the viewer may not change saved views. */
  readonly mayChange: boolean;
  readonly onRename: (saved: SavedView) => void;
  readonly onShare: (saved: SavedView) => void;
  readonly onUnshare: (saved: SavedView) => void;
  readonly onDelete: (saved: SavedView) => void;
  readonly onClose: () => void;
}

export function ViewsDialog({
  project,
  message,
  onSave,
  ...actions
}: ViewActions & {
  project: string;
  /** The last change. */
  message: string;
  onSave: () => void;
}): ReactNode {
  const { mayChange, onClose } = actions;
  const appNames = useAppNames(project);
  return (
    <Dialog title="Saved views" onClose={onClose}>
      {message !== "" && <p role="status">{message}</p>}
      <WithState state={useSavedViews(project)}>
        {(views) =>
          views.length === 0 ? (
            <p className="soft">
              No saved views. A view saves your choices, such as the app, days and labels, under a name.
            </p>
          ) : (
            <ItemList label="Saved views">
              {views.map((saved) => (
                <SavedViewItem
                  key={saved.name}
                  saved={saved}
                  app={saved.view.app && (appNames?.get(saved.view.app) ?? saved.view.app)}
                  {...actions}
                />
              ))}
            </ItemList>
          )
        }
      </WithState>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Close</Button>
        {mayChange && (
          <Button look="primary" onClick={onSave}>
            Save this view
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** A saved view: a link that opens it, and buttons. */
function SavedViewItem({
  saved,
  app,
  mayChange,
  onRename,
  onShare,
  onUnshare,
  onDelete,
  onClose,
}: ViewActions & { saved: SavedView; app: string | undefined }): ReactNode {
  const { title, view } = saved;
  const [copied, setCopied] = useState("");
  const isCurrent = savedQueryOf(useView()) === savedQueryOf(view);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(new URL(addressOf(view), window.location.href).href);
      setCopied("Link copied");
    } catch {
      // The clipboard needs a secure origin and the viewer's permission.
      setCopied("The browser blocks copying. Copy the address from the link above");
    }
  };
  return (
    <Item
      title={
        <ViewLink change={view} current={isCurrent} onFollow={onClose}>
          {title}
        </ViewLink>
      }
      details={
        <>
          <span>{[TAB_TITLES[view.tab], app].filter(Boolean).join(", ")}</span>
          {view.labels !== undefined && <span>{labelsText(view.labels)}</span>}
          {saved.expires !== undefined && <span>Shared until {formatInstant(saved.expires)}</span>}
          <span role="status">{copied}</span>
        </>
      }
      actions={
        <>
          <Button look="small" aria-label={`Copy link of ${title}`} onClick={() => void copy()}>
            Copy link
          </Button>
          {mayChange && (
            <>
              <Button look="small" aria-label={`Rename ${title}`} onClick={() => onRename(saved)}>
                Rename
              </Button>
              {view.app !== undefined && (
                <Button look="small" aria-label={`Share ${title}`} onClick={() => onShare(saved)}>
                  Share
                </Button>
              )}
              {saved.expires !== undefined && (
                <Button look="small" aria-label={`Stop sharing ${title}`} onClick={() => onUnshare(saved)}>
                  Stop sharing
                </Button>
              )}
              <Button look="small" aria-label={`Delete ${title}`} onClick={() => onDelete(saved)}>
                Delete
              </Button>
            </>
          )}
        </>
      }
    />
  );
}
