import { type RefObject, useEffect, useRef } from "react";

/** Calls `dismiss` when the viewer clicks or focuses something outside of an open element. */
export function useDismiss(element: RefObject<HTMLElement | null>, open: boolean, dismiss: () => void): void {
  const latest = useRef(dismiss);
  useEffect(() => {
    latest.current = dismiss;
  });
  useEffect(() => {
    if (!open) return;
    const onTurn = (event: Event): void => {
      if (event.target instanceof Node && !element.current?.contains(event.target)) latest.current();
    };
    document.addEventListener("pointerdown", onTurn);
    document.addEventListener("focusin", onTurn);
    return () => {
      document.removeEventListener("pointerdown", onTurn);
      document.removeEventListener("focusin", onTurn);
    };
  }, [element, open]);
}
