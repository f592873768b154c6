import { type ReactNode, useState } from "react";
import { useSavedViews } from "#console/api/queries.js";
import { useServices } from "#console/api/services.js";
import { MAX_VIEW_TITLE, type SavedView } from "#console/model/view/saved-view.js";
import { ChangeForm, TextField } from "#console/parts/change/change-form.js";
import { useChange } from "#console/parts/change/use-change.js";
import type { DialogEnds } from "#console/parts/change/use-dialog.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { useView } from "#console/ui/view/use-view.js";

interface OfProject extends DialogEnds {
  readonly project: string;
}

/** Saves the current view under a name. */
export function SaveViewDialog({ project, onClose, onDone }: OfProject): ReactNode {
  const { views } = useServices().api;
  const view = useView();
  const [typed, setTyped] = useState("");
  const title = typed.trim();
  const isTaken = useSavedViews(project).data?.some((other) => other.title === title) ?? false;
  const change = useChange(() => views.save(project, title, view), { done: () => onDone(`Saved ${title}.`) });
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <ChangeForm
        action="Save"
        change={change}
        isReady={title !== "" && !isTaken}
        onCancel={onClose}
        effect="Everyone who can see this project can open it. Days such as 28 days still end on the last listed day; custom days stay the same."
      >
        <TitleField value={typed} isTaken={isTaken} onChange={setTyped} />
      </ChangeForm>
    </Dialog>
  );
}

/** Changes a saved view's title. */
export function RenameViewDialog({
  project,
  saved,
  onClose,
  onDone,
}: OfProject & { saved: SavedView }): ReactNode {
  const { views } = useServices().api;
  const all = useSavedViews(project).data ?? [];
  const current = currentOf(saved, all);
  const [typed, setTyped] = useState(saved.title);
  const title = typed.trim();
  const isTaken = all.some((other) => other.name !== saved.name && other.title === title);
  const change = useChange(() => views.rename(current, title), {
    done: () => onDone(`Renamed ${saved.title} to ${title}.`),
  });
  return (
    <Dialog title={`Rename ${current.title}`} onClose={onClose}>
      <ChangeForm
        action="Rename"
        change={change}
        isReady={title !== "" && title !== current.title && !isTaken}
        onCancel={onClose}
        effect="Everyone in the project sees the new name. Copied links stay valid."
      >
        <TitleField value={typed} isTaken={isTaken} onChange={setTyped} />
      </ChangeForm>
    </Dialog>
  );
}

/** Deletes a saved view. */
export function DeleteViewDialog({
  project,
  saved,
  onClose,
  onDone,
}: OfProject & { saved: SavedView }): ReactNode {
  const { views } = useServices().api;
  const current = currentOf(saved, useSavedViews(project).data ?? []);
  const { title } = current;
  const change = useChange(() => views.delete(current), { done: () => onDone(`Deleted ${title}.`) });
  return (
    <Dialog title={`Delete ${title}`} onClose={onClose}>
      <ChangeForm
        action="Delete"
        change={change}
        onCancel={onClose}
        effect="It is removed from the list for everyone in the project. Copied links stay valid."
      />
    </Dialog>
  );
}

const TitleField = ({
  value,
  isTaken,
  onChange,
}: {
  value: string;
  /** True if another view has this title. */
  isTaken: boolean;
  onChange: (value: string) => void;
}): ReactNode => (
  <TextField
    label="Name"
    help={isTaken ? "Another view has this name." : "For example: Promo labels, 7 days"}
    value={value}
    maxLength={MAX_VIEW_TITLE}
    onChange={onChange}
  />
);

/** Returns the saved view as it is now, which is newer after a conflict. */
const currentOf = (saved: SavedView, all: readonly SavedView[]): SavedView =>
  all.find(({ name }) => name === saved.name) ?? saved;
