import { type ReactNode, useState } from "react";
import { Button } from "./basics.js";
import styles from "./copied.module.css";

/** A text with a button that copies it. If the browser blocks copying, the text is selected. */
export function Copied({
  name,
  text,
  isQuiet = false,
}: {
  name: string;
  text: string;
  /** True in rows that repeat many times on a page. */
  isQuiet?: boolean;
}): ReactNode {
  const [state, setState] = useState("");
  async function copy(code: HTMLElement | null): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState("Copied");
    } catch {
      // The clipboard needs a secure origin and the viewer's permission.
      if (code !== null) window.getSelection()?.selectAllChildren(code);
      setState("Selected: copy it manually");
    }
  }
  return (
    <span className={styles.copied}>
      <code>{text}</code>
      <Button
        look={isQuiet ? "quiet" : "small"}
        aria-label={`Copy ${name}`}
        onClick={(event) => void copy(event.currentTarget.parentElement?.querySelector("code") ?? null)}
      >
        Copy
      </Button>
      <span role="status">{state}</span>
    </span>
  );
}
