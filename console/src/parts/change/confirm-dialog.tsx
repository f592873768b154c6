import type { ReactNode } from "react";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { ChangeForm } from "./change-form.js";
import { useChange } from "./use-change.js";
import type { DialogEnds } from "./use-dialog.js";

/** A dialog that makes a change without fields, such as a deletion. */
export function ConfirmDialog({
  title,
  action,
  effect,
  make,
  done,
  onClose,
  onDone,
}: DialogEnds & {
  title: string;
  /** Text of the button that makes the change. */
  action: string;
  effect: string;
  make: () => Promise<void>;
  /** Text to announce after the change. */
  done: string;
}): ReactNode {
  const change = useChange(make, { done: () => onDone(done) });
  return (
    <Dialog title={title} onClose={onClose}>
      <ChangeForm action={action} change={change} onCancel={onClose} effect={effect} />
    </Dialog>
  );
}
