import { type ReactNode, useState } from "react";
import { blockingError, isPassing, type ReadState } from "#console/api/read-state.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { formatRange } from "#console/model/days/format-day.js";
import { labelsText } from "#console/model/view/view.js";
import { joinClasses } from "../elements/basics.js";
import { Failure } from "./failure.js";
import styles from "./loaded.module.css";

/** Shows figures, or an error. While the server cannot be reached, previous figures stay, and a banner explains why. */
export function Loaded<T>({
  shown: { value, isStale, stale },
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
    return <Failure error={error} retry={retry} />;
  }
  if (value !== undefined)
    return (
      <Kept isStale={isStale} stale={stale}>
        {children(value)}
      </Kept>
    );
  return <Skeleton height={height} paused={queries.some(({ fetchStatus }) => fetchStatus === "paused")} />;
}

/** Figures on the page. */
export interface Shown<T> {
  /** Undefined until the app's first figures have loaded. */
  readonly value: T | undefined;
  /** True while previous figures are shown and new ones load. */
  readonly isStale: boolean;
  /** Entries behind the previous figures, and the requested ones. */
  readonly stale?: { readonly shown: EntriesSelection; readonly asked: EntriesSelection } | undefined;
}

/**
 * Keeps figures on the page while others load, so that the layout does not jump. Never keeps figures from another app.
 *
 * @param now the requested figures, undefined until they have loaded. Must be the same object on each render. Must
 *   include everything that labels the figures, such as their days, because the viewer may have chosen others.
 * @param selection the requested entries
 */
export function useKept<T>(now: T | undefined, selection: EntriesSelection): Shown<T> {
  const [kept, setKept] = useState<{ readonly value: T; readonly of: EntriesSelection }>();
  if (now !== undefined) {
    if (kept?.value !== now) setKept({ value: now, of: selection });
    return { value: now, isStale: false };
  }
  const isOfApp = kept?.of.project === selection.project && kept.of.app === selection.app;
  return isOfApp
    ? { value: kept.value, isStale: true, stale: { shown: kept.of, asked: selection } }
    : { value: undefined, isStale: false };
}

/** Figures from `useKept`: dimmed while others load, with a note that names their days. */
export function Kept({
  isStale,
  stale,
  isBusy = isStale,
  className,
  children,
}: {
  isStale: boolean;
  /** As in {@link Shown}. */
  stale?: Shown<unknown>["stale"];
  /** True while anything loads. The default is `isStale`. */
  isBusy?: boolean;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.keeper}>
      {stale !== undefined && <StaleNote {...stale} />}
      <div
        className={joinClasses(styles.kept, className)}
        aria-busy={isBusy}
        data-stale={isStale || undefined}
      >
        {children}
      </div>
    </div>
  );
}

/** Names the days and labels of previous figures. Over the figures, so that they do not move. */
function StaleNote({ shown, asked }: NonNullable<Shown<unknown>["stale"]>): ReactNode {
  const parts = [shown, asked].map(({ range }) => formatRange(range));
  const labels = [shown, asked].map((each) => labelsText(each.labels));
  const [from, to] = parts.map((part, at) => (labels[0] === labels[1] ? part : `${part} · ${labels[at]}`));
  return (
    <div className={styles.note} role="status">
      {from !== to && (
        <p>
          Still showing <strong>{from}</strong>. Loading {to} …
        </p>
      )}
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
