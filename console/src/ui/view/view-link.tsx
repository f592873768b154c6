import type { MouseEvent, ReactNode } from "react";
import { changedView, type View } from "#console/model/view/view.js";
import { addressOf, changeView, useView } from "./use-view.js";

/** A link to a changed view. It has an address of its own, which can be copied or opened in a new tab. */
export function ViewLink({
  change,
  current = false,
  className,
  children,
}: {
  change: Partial<View>;
  /** True if the link leads to the current view. */
  current?: boolean;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  const view = useView();
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    changeView(change);
  };
  return (
    <a
      href={addressOf(changedView(view, change))}
      className={className}
      aria-current={current ? "page" : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
