import { type ComponentProps, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { joinClasses } from "../elements/basics.js";
import styles from "./popover.module.css";

/** Space between a panel and its opener, and between a panel and the screen's edges, in pixels. */
const GAP = 4;
const MARGIN = 8;

/**
 * A panel above everything else, also above a modal dialog that contains it: below its opener or, if there is more space,
 * above it.
 */
export function Popover({
  opener,
  isSheet = false,
  className,
  ...rest
}: ComponentProps<"div"> & {
  opener: RefObject<HTMLElement | null>;
  /** True for a sheet on a narrow screen. */
  isSheet?: boolean;
}): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [shown, anchor] = [panel.current, opener.current];
    if (shown === null || anchor === null) return;
    shown.showPopover();
    const put = (): void => place(shown, anchor);
    put();
    const sizes = new ResizeObserver(put);
    for (const element of [shown, anchor]) sizes.observe(element);
    const options = { capture: true, passive: true };
    window.addEventListener("scroll", put, options);
    window.addEventListener("resize", put);
    return () => {
      sizes.disconnect();
      window.removeEventListener("scroll", put, options);
      window.removeEventListener("resize", put);
    };
  }, [opener]);
  return (
    <div
      ref={panel}
      popover="manual"
      className={joinClasses(styles.popover, isSheet && styles.sheet, className)}
      {...rest}
    />
  );
}

/** A non-modal dialog beside its opener. On a narrow screen, it is a sheet. Escape closes it. */
export const PopoverDialog = ({
  label,
  onClose,
  onKeyDown,
  ...rest
}: ComponentProps<typeof Popover> & { label: string; onClose: () => void }): ReactNode => (
  <>
    <Cover label={`Close: ${label}`} onClose={onClose} />
    <Popover
      isSheet
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== "Escape") return;
        // A modal dialog around it stays open.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      {...rest}
    />
  </>
);

/** Covers the page behind a sheet, so that a tap beside the sheet only closes it. A backdrop lets taps through. */
function Cover({ label, onClose }: { label: string; onClose: () => void }): ReactNode {
  const cover = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cover.current?.showPopover(), []);
  return (
    <button
      ref={cover}
      type="button"
      popover="manual"
      tabIndex={-1}
      className={styles.cover}
      aria-label={label}
      onClick={onClose}
    />
  );
}

/** Sets the place and limits of a panel beside its opener, for the style sheet. */
function place(panel: HTMLElement, opener: HTMLElement): void {
  const { left, top, bottom, width } = opener.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - bottom - GAP - MARGIN;
  const above = top - GAP - MARGIN;
  const isBelow = panel.scrollHeight <= below || below >= above;
  const height = Math.min(panel.scrollHeight + 2, isBelow ? below : above);
  const x = Math.max(MARGIN, Math.min(left, clientWidth - MARGIN - panel.offsetWidth));
  const places = {
    x,
    y: isBelow ? bottom + GAP : top - GAP - height,
    height: isBelow ? below : above,
    width,
  };
  for (const [name, value] of Object.entries(places))
    panel.style.setProperty(`--popover-${name}`, `${value}px`);
}
