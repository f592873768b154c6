import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { blockingError } from "../../api/blocking-error.js";
import { Failure } from "./failure.js";
import { Kept } from "./kept.js";
import { Skeleton } from "./skeleton.js";
import type { Shown } from "./use-kept.js";

/** Shows figures, or the reason why they are missing. */
export function Loaded<T>({
  shown: { value, isStale },
  queries,
  height,
  retry,
  children,
}: {
  shown: Shown<T>;
  /** The reads that the figures come from. */
  queries: readonly Pick<UseQueryResult, "data" | "error" | "fetchStatus" | "refetch">[];
  /** Expected height of the figures in pixels, reserved from the start. */
  height: number;
  /** Called to try again after a failure; by default reads again what has failed. */
  retry?: (() => void) | undefined;
  children: (value: T) => ReactNode;
}): ReactNode {
  const failed = queries.filter((query) => blockingError(query) !== undefined);
  const [first] = failed;
  if (first?.error) {
    const readAgain = (): void => {
      for (const { refetch } of failed) void refetch();
    };
    return <Failure error={first.error} retry={retry ?? readAgain} height={height} />;
  }
  if (value !== undefined) return <Kept isStale={isStale}>{children(value)}</Kept>;
  return <Skeleton height={height} paused={queries.some(({ fetchStatus }) => fetchStatus === "paused")} />;
}
