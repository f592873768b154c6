import type { MouseEvent, ReactNode } from "react";
import { addressOf, changeView, useView } from "./use-view.js";
import type { View } from "./view.js";

/** A link to the view with something changed. It has an address, so that it can be opened elsewhere and copied. */
export function ViewLink({
  change,
  current = false,
  className,
  children,
}: {
  change: Partial<View>;
  /** Whether it leads to what is shown already. */
  current?: boolean;
  className?: string;
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
      href={addressOf({ ...view, ...change })}
      className={className}
      aria-current={current ? "page" : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
