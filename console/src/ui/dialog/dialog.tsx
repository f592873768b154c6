import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import styles from "./dialog.module.css";

/** A modal dialog. The focus returns to where it was when the dialog is gone. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  /** Called when the viewer cancels. Without it, the dialog stays. */
  onClose?: () => void;
  children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // Browsers close the dialog on a second cancel despite `preventDefault`.
      onClose={() => {
        const element = dialog.current;
        if (element === null || element.open) return;
        if (onClose === undefined) element.showModal();
        else onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
