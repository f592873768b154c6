import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { blockingError } from "../../api/blocking-error.js";
import { Failure } from "./failure.js";
import { Kept } from "./kept.js";
import { Skeleton } from "./skeleton.js";

/** Shows the data of a query, or the reason why it is missing. */
export function Loaded<T>({
  query,
  height,
  retry = () => void query.refetch(),
  children,
}: {
  query: UseQueryResult<T>;
  /** Expected height of the data in pixels, reserved from the start. */
  height: number;
  /** Called to try again after a failure; refetches by default. */
  retry?: () => void;
  children: (data: T) => ReactNode;
}): ReactNode {
  const error = blockingError(query);
  if (error !== undefined) return <Failure error={error} retry={retry} height={height} />;
  if (query.data !== undefined) {
    return <Kept isStale={query.isPlaceholderData}>{children(query.data)}</Kept>;
  }
  return <Skeleton height={height} paused={query.fetchStatus === "paused"} />;
}
