import { type RefObject, useEffect } from "react";

/**
 * Marks the parent of a scrolling element with `data-more` while content continues beyond its right edge. Works
 * without rendering, because scrolling would render a whole table.
 */
export function useEdges(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const update = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      // Positions may be fractions of a pixel.
      element.parentElement?.toggleAttribute("data-more", scrollLeft + clientWidth < scrollWidth - 1);
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [frame]);
}
