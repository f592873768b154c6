import { type ReactNode, useState } from "react";
import { blockingError, isPassing, type ReadState } from "#console/api/read-state.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { joinClasses } from "../elements/basics.js";
import { Failure } from "./failure.js";
import styles from "./loaded.module.css";

/**
 * Shows figures, or an error. While the server cannot be reached, previous figures * stay, and a banner explains why.
 */
export function Loaded<T>({
  shown: { value, isStale },
  queries,
  height,
  retry,
  children,
}: {
  shown: Shown<T>;
  /** Queries behind the figures. */
  queries: readonly ReadState[];
  /** Expected height in pixels, reserved while loading. */
  height: number;
  /** Called to retry, as in {@link Failure}. */
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
  /** Undefined until the app's first figures have loaded. */
  readonly value: T | undefined;
  /** True while previous figures are shown and new ones load. */
  readonly isStale: boolean;
}

/**
 * Keeps figures on the page while others load, so that the layout does not jump. Never keeps figures from another
 * app. * @param now the requested figures, undefined until they have loaded. Must be the same object on each render.
 * * Must include everything that labels the figures, such as their days, because the viewer may have chosen others. *
 * @param selection the requested project and app
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

/** Figures from `useKept`: dimmed while others load. */
export function Kept({
  isStale,
  isBusy = isStale,
  className,
  children,
}: {
  isStale: boolean;
  /** True while anything loads. The default is `isStale`. */
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

/** A placeholder for content that is loading, with the same height. */
export function Skeleton({
  height,
  paused = false,
  silent = false,
}: {
  /** Pixels. */
  height: number;
  paused?: boolean;
  /** True to announce nothing, for one of many placeholders. */
  silent?: boolean;
}): ReactNode {
  if (silent) return <div className={styles.skeleton} style={{ height }} />;
  return (
    <div className={styles.skeleton} style={{ height }} role="status">
      <span className={styles.text}>{paused ? "Waiting for a connection …" : "Loading …"}</span>
    </div>
  );
}
