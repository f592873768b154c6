import type { ReactNode } from "react";
import { blockingError, isPassing, type ReadState } from "#console/api/blocking-error.js";
import { Failure } from "./failure.js";
import { Kept } from "./kept.js";
import { Skeleton } from "./skeleton.js";
import type { Shown } from "./use-kept.js";

/**
 * Shows figures, or the reason why they are missing. While the server cannot be reached, the previous figures
 * stay; the banner of the page says why.
 */
export function Loaded<T>({
  shown: { value, isStale },
  queries,
  height,
  retry,
  children,
}: {
  shown: Shown<T>;
  /** The reads that the figures come from. */
  queries: readonly ReadState[];
  /** Expected height of the figures in pixels, reserved from the start. */
  height: number;
  /** Called to try again after a failure, as for {@link Failure}. */
  retry?: (() => void) | undefined;
  children: (value: T) => ReactNode;
}): ReactNode {
  const [error] = queries.flatMap((query) => blockingError(query) ?? []);
  if (error !== undefined && !(value !== undefined && isPassing(error))) {
    return <Failure error={error} retry={retry} height={height} />;
  }
  if (value !== undefined) return <Kept isStale={isStale}>{children(value)}</Kept>;
  return <Skeleton height={height} paused={queries.some(({ fetchStatus }) => fetchStatus === "paused")} />;
}
