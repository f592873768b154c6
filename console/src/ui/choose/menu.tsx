import { type ReactNode, useId, useRef, useState } from "react";
import { joinClasses } from "../elements/basics.js";
import styles from "./menu.module.css";
import { useDismiss } from "./picker.js";

/** A button that opens a small panel with links and buttons. */
export function Menu({
  label,
  shown,
  className,
  children,
}: {
  /** Name for assistive technology. */
  label: string;
  /** Content of the button. */
  shown: ReactNode;
  className?: string | undefined;
  /** The panel's content. Clicks on links and on buttons with `data-closes` close it. */
  children: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  useDismiss(box, isOpen, () => setOpen(false));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel, wherever the focus is in it
    <div
      ref={box}
      className={styles.menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        opener.current?.focus();
      }}
    >
      <button
        type="button"
        ref={opener}
        className={joinClasses(styles.opener, className)}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {shown}
      </button>
      <div
        id={id}
        className={styles.panel}
        hidden={!isOpen}
        onClickCapture={(event) => {
          if (!(event.target instanceof Element)) return;
          const isLink = event.target.closest("a") !== null;
          if (!isLink && event.target.closest("[data-closes]") === null) return;
          setOpen(false);
          if (!isLink) opener.current?.focus();
        }}
      >
        {children}
      </div>
    </div>
  );
}
