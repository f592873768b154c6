import type { ReactNode } from "react";

/** A placeholder of the same height as the content that is loading. */
export function Skeleton({ height, paused = false }: { height: number; paused?: boolean }): ReactNode {
  return (
    <div className="skeleton" style={{ height }} role="status">
      <span className="skeleton-text">{paused ? "Waiting for a connection …" : "Loading …"}</span>
    </div>
  );
}
