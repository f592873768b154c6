import { type MouseEvent, type ReactNode, useMemo, useSyncExternalStore } from "react";
import { changedView, type View } from "#console/model/view/view.js";
import { queryOf, viewOf } from "#console/model/view/view-address.js";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

const currentQuery = (): string => window.location.search;

export const addressOf = (view: View): string => `${window.location.pathname}${queryOf(view)}`;

/** Changes the view. "replace" adds no entry to the browser history. */
export function changeView(change: Partial<View>, how: "push" | "replace" = "push"): void {
  const query = currentQuery();
  const address = addressOf(changedView(viewOf(query), change));
  if (address === window.location.pathname + query) return;
  if (how === "push") window.history.pushState(null, "", address);
  else window.history.replaceState(null, "", address);
  for (const listener of listeners) listener();
}

/** Returns the view in the URL, updated on every change. */
export function useView(): View {
  const query = useSyncExternalStore(subscribe, currentQuery);
  return useMemo(() => viewOf(query), [query]);
}

/** A link that changes the view. Its URL can be copied or opened in a new tab. */
export function ViewLink({
  change,
  current = false,
  className,
  onFollow,
  children,
}: {
  change: Partial<View>;
  /** True if the link is to the current view. */
  current?: boolean;
  className?: string | undefined;
  /** Called after the view has changed in this tab. */
  onFollow?: (() => void) | undefined;
  children: ReactNode;
}): ReactNode {
  const view = useView();
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    changeView(change);
    onFollow?.();
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
