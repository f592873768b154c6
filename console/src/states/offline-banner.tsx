import { type ReactNode, useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Says that there is no connection, as long as there is none. It lies over the page, so that nothing moves. */
export function OfflineBanner(): ReactNode {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className="banner" data-shown={!online || undefined}>
      {!online && "You are offline. What is on the page stays; the rest comes once you are connected again."}
    </div>
  );
}
