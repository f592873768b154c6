import { type ReactNode, useRef, useState } from "react";

export interface DialogEnds {
  readonly onClose: () => void;
  /** Called after the change, with the message to announce. */
  readonly onDone: (message: string) => void;
}

/** Which dialog of a card is open. */
export interface OpenDialog<D> {
  readonly shown: D | undefined;
  open(dialog: D): void;
  readonly ends: DialogEnds;
  /** Announces the last change. */
  readonly announcement: ReactNode;
}

export function useDialog<D>(): OpenDialog<D> {
  const [shown, setShown] = useState<D>();
  const [message, setMessage] = useState("");
  const line = useRef<HTMLParagraphElement>(null);
  return {
    shown,
    open: (dialog) => {
      setMessage("");
      setShown(dialog);
    },
    ends: {
      onClose: () => setShown(undefined),
      onDone: (text) => {
        setShown(undefined);
        setMessage(text);
        // The button that opened the dialog may be gone.
        requestAnimationFrame(() => {
          if (document.activeElement === document.body) line.current?.focus();
        });
      },
    },
    announcement: (
      <p ref={line} role="status" tabIndex={-1} className="small">
        {message}
      </p>
    ),
  };
}
