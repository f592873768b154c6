import { type ComponentProps, type ReactNode, useState } from "react";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { ChangeForm, TextField } from "./change-form.js";
import { useChange } from "./use-change.js";
import type { DialogEnds } from "./use-dialog.js";

/** The change for a typed value. */
export interface Typed {
  /** Undefined if the value cannot be saved. */
  readonly make: (() => Promise<void>) | undefined;
  /** Text to announce after the change. */
  readonly done: string;
  /** Text below the field. */
  readonly help: string;
}

export function ValueDialog({
  title,
  action,
  effect,
  initial = "",
  read,
  children,
  onClose,
  onDone,
  ...field
}: DialogEnds &
  Pick<ComponentProps<typeof TextField>, "label" | "maxLength" | "inputMode"> & {
    title: string;
    /** Text of the button that makes the change. */
    action: string;
    effect: string;
    /** The value at first. */
    initial?: string;
    /** Reads a typed value, without the space around it. */
    read: (value: string) => Typed;
    /** More content below the field. */
    children?: ReactNode;
  }): ReactNode {
  const [typed, setTyped] = useState(initial);
  const { make, done, help } = read(typed.trim());
  const change = useChange(async () => make?.(), { done: () => onDone(done) });
  return (
    <Dialog title={title} onClose={onClose}>
      <ChangeForm
        action={action}
        change={change}
        isReady={make !== undefined}
        onCancel={onClose}
        effect={effect}
      >
        <TextField {...field} help={help} value={typed} onChange={setTyped} />
        {children}
      </ChangeForm>
    </Dialog>
  );
}
