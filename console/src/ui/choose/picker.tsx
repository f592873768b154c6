import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { ReadState } from "#console/api/read-state.js";
import { joinClasses } from "../elements/basics.js";
import type { Option } from "./options.js";
import styles from "./picker.module.css";
import { PickerPanel } from "./picker-panel.js";

/** A button below or beside its label, which opens a panel. */
export function Opener({
  label,
  shown,
  opens,
  className,
  panel,
}: {
  label: string;
  /** Text on the button. */
  shown: ReactNode;
  /** Role of the panel. */
  opens: "listbox" | "dialog";
  className?: string | undefined;
  /** The open panel. `close` returns the focus to the button. */
  panel: (opener: RefObject<HTMLButtonElement | null>, close: () => void) => ReactNode;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  useDismiss(box, open, () => setOpen(false));
  return (
    <div className={joinClasses(styles.picker, className)} ref={box}>
      <span className={joinClasses("label", styles.label)} id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        ref={opener}
        className={styles.opener}
        id={`${id}-opener`}
        aria-labelledby={`${id}-label ${id}-opener`}
        aria-haspopup={opens}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.shown}>{shown}</span>
      </button>
      {open && panel(opener, close)}
    </div>
  );
}

/**
 * Chooses one or several of many options, with a search field: a combobox with a list box (ARIA Authoring Practices).
 */
export const Picker = ({
  label,
  shown,
  query,
  options,
  chosen,
  several = false,
  className,
  onChoose,
}: {
  label: string;
  /** Text on the button. */
  shown: string;
  query: ReadState;
  options: readonly Option[];
  chosen: readonly string[];
  /** True if the picker stays open for further choices. */
  several?: boolean;
  className?: string | undefined;
  onChoose: (value: string) => void;
}): ReactNode => (
  <Opener
    label={label}
    shown={shown}
    opens="listbox"
    className={className}
    panel={(opener, close) => (
      <PickerPanel
        opener={opener}
        label={label}
        query={query}
        options={options}
        chosen={chosen}
        several={several}
        onClose={close}
        onChoose={(value) => {
          onChoose(value);
          if (!several) close();
        }}
      />
    )}
  />
);

/** Calls `dismiss` if the viewer clicks or focuses outside an open element. */
export function useDismiss(element: RefObject<HTMLElement | null>, open: boolean, dismiss: () => void): void {
  const latest = useRef(dismiss);
  useEffect(() => {
    latest.current = dismiss;
  });
  useEffect(() => {
    if (!open) return;
    const onOutside = (event: Event): void => {
      if (event.target instanceof Node && !element.current?.contains(event.target)) latest.current();
    };
    document.addEventListener("pointerdown", onOutside);
    document.addEventListener("focusin", onOutside);
    return () => {
      document.removeEventListener("pointerdown", onOutside);
      document.removeEventListener("focusin", onOutside);
    };
  }, [element, open]);
}
