import type { ReactNode } from "react";
import { useSavedViews } from "#console/api/queries.js";
import { useServices } from "#console/api/services.js";
import { MAX_VIEW_TITLE, type SavedView } from "#console/model/view/saved-view.js";
import { ConfirmDialog } from "#console/parts/change/confirm-dialog.js";
import type { DialogEnds } from "#console/parts/change/use-dialog.js";
import { ValueDialog } from "#console/parts/change/value-dialog.js";
import { useView } from "#console/ui/view/use-view.js";

interface OfProject extends DialogEnds {
  readonly project: string;
}

type OfView = OfProject & { readonly saved: SavedView };

const TITLE = { label: "Name", maxLength: MAX_VIEW_TITLE } as const;

/** Saves the current view under a name. */
export function SaveViewDialog({ project, ...ends }: OfProject): ReactNode {
  const { views } = useServices().api;
  const view = useView();
  const others = useSavedViews(project).data ?? [];
  return (
    <ValueDialog
      {...TITLE}
      {...ends}
      title="Save this view"
      action="Save"
      effect="Everyone who can see this project can open it. Ranges such as 28 days still end on the last listed day; custom days stay the same."
      read={(title) => ({
        make: isFree(title, others) ? () => views.save(project, title, view) : undefined,
        done: `Saved ${title}.`,
        help: helpFor(title, others),
      })}
    />
  );
}

export function RenameViewDialog({ project, saved, ...ends }: OfView): ReactNode {
  const { views } = useServices().api;
  const all = useSavedViews(project).data ?? [];
  const current = currentOf(saved, all);
  const others = all.filter(({ name }) => name !== saved.name);
  return (
    <ValueDialog
      {...TITLE}
      {...ends}
      title={`Rename ${current.title}`}
      action="Rename"
      effect="Everyone in the project sees the new name. Copied links stay valid."
      initial={saved.title}
      read={(title) => ({
        make:
          isFree(title, others) && title !== current.title ? () => views.rename(current, title) : undefined,
        done: `Renamed ${saved.title} to ${title}.`,
        help: helpFor(title, others),
      })}
    />
  );
}

export function DeleteViewDialog({ project, saved, ...ends }: OfView): ReactNode {
  const { views } = useServices().api;
  const current = currentOf(saved, useSavedViews(project).data ?? []);
  const { title } = current;
  return (
    <ConfirmDialog
      {...ends}
      title={`Delete ${title}`}
      action="Delete"
      effect="It is removed from the list for everyone in the project. Copied links stay valid."
      make={() => views.delete(current)}
      done={`Deleted ${title}.`}
    />
  );
}

const isTaken = (title: string, others: readonly SavedView[]): boolean =>
  others.some((other) => other.title === title);

const isFree = (title: string, others: readonly SavedView[]): boolean =>
  title !== "" && !isTaken(title, others);

const helpFor = (title: string, others: readonly SavedView[]): string =>
  isTaken(title, others) ? "Another view has this name." : "For example: Promo labels, 7 days";

/** Returns the saved view as it is now, which is newer after a conflict. */
const currentOf = (saved: SavedView, all: readonly SavedView[]): SavedView =>
  all.find(({ name }) => name === saved.name) ?? saved;
