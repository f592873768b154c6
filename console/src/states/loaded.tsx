import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { blockingError } from "./blocking-error.js";
import { Failure } from "./failure.js";
import { Skeleton } from "./skeleton.js";

/** Shows what a query brought, or why it has not brought anything yet. */
export function Loaded<T>({
  query,
  height,
  retry = () => void query.refetch(),
  children,
}: {
  query: UseQueryResult<T>;
  /** Of what is to come, in pixels, so that it takes its room at once. */
  height: number;
  /** What to do once it has failed; asks again if it is left out. */
  retry?: () => void;
  children: (data: T) => ReactNode;
}): ReactNode {
  const error = blockingError(query);
  if (error !== undefined) return <Failure error={error} retry={retry} height={height} />;
  if (query.data !== undefined) {
    return (
      <div
        className="loaded"
        aria-busy={query.isPlaceholderData}
        data-stale={query.isPlaceholderData || undefined}
      >
        {children(query.data)}
      </div>
    );
  }
  return <Skeleton height={height} paused={query.fetchStatus === "paused"} />;
}
