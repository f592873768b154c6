import type { ReactNode } from "react";

/** Stands where something is still to come, and takes its room. */
export function Skeleton({ height, paused = false }: { height: number; paused?: boolean }): ReactNode {
  return (
    <div className="skeleton" style={{ height }} role="status">
      <span className="skeleton-text">{paused ? "Waiting for a connection …" : "Loading …"}</span>
    </div>
  );
}
