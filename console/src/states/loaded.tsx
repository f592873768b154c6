import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./failure.js";
import { Skeleton } from "./skeleton.js";

/** Shows what a query brought, or why it has not brought anything yet. */
export function Loaded<T>({
  query,
  height,
  children,
}: {
  query: UseQueryResult<T>;
  /** Of what is to come, in pixels, so that it takes its room at once. */
  height: number;
  children: (data: T) => ReactNode;
}): ReactNode {
  if (query.data !== undefined && !query.isError) {
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
  if (query.isError)
    return <Failure error={query.error} retry={() => void query.refetch()} height={height} />;
  return <Skeleton height={height} paused={query.fetchStatus === "paused"} />;
}
