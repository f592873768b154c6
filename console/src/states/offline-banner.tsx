import { type ReactNode, useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Shown while the browser is offline. Lies over the page, which keeps the content in place. */
export function OfflineBanner(): ReactNode {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className="banner" data-shown={!online || undefined}>
      {!online && "You are offline. What is on the page stays; the rest comes once you are connected again."}
    </div>
  );
}
