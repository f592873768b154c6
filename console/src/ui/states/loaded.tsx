import { type ReactNode, useState } from "react";
import { blockingError, isPassing, type ReadState } from "#console/api/read-state.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { joinClasses } from "../elements/basics.js";
import { Failure } from "./failure.js";
import styles from "./loaded.module.css";

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

/** Figures on the page. */
export interface Shown<T> {
  /** Undefined until the first figures of the app have loaded. */
  readonly value: T | undefined;
  /** True while these are the previous figures, and others load. */
  readonly isStale: boolean;
}

/**
 * Keeps figures on the page while others load, which avoids jumps. Never keeps figures of another app.
 * @param now the figures asked for, undefined until they have loaded. Pass the same object on each rendering.
 * Figures that need a name, such as that of their days, must contain it: the viewer may have chosen another.
 * @param selection what they are asked for
 */
export function useKept<T>(
  now: T | undefined,
  { project, app }: Pick<EntriesSelection, "project" | "app">,
): Shown<T> {
  const [kept, setKept] = useState<{ readonly value: T; readonly project: string; readonly app: string }>();
  if (now !== undefined) {
    if (kept?.value !== now) setKept({ value: now, project, app });
    return { value: now, isStale: false };
  }
  const isOfApp = kept?.project === project && kept.app === app;
  return isOfApp ? { value: kept.value, isStale: true } : { value: undefined, isStale: false };
}

/** Figures that stay on the page, dimmed, while others load: those of `useKept`. */
export function Kept({
  isStale,
  isBusy = isStale,
  className,
  children,
}: {
  isStale: boolean;
  /** True while anything loads; defaults to `isStale`. */
  isBusy?: boolean;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={joinClasses(styles.kept, className)} aria-busy={isBusy} data-stale={isStale || undefined}>
      {children}
    </div>
  );
}

/** A placeholder of the same height as the content that is loading. */
export function Skeleton({
  height,
  paused = false,
  silent = false,
}: {
  /** Pixels. */
  height: number;
  paused?: boolean;
  /** True for one of many placeholders, which says nothing. */
  silent?: boolean;
}): ReactNode {
  if (silent) return <div className={styles.skeleton} style={{ height }} />;
  return (
    <div className={styles.skeleton} style={{ height }} role="status">
      <span className={styles.text}>{paused ? "Waiting for a connection …" : "Loading …"}</span>
    </div>
  );
}
