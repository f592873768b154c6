import type { EntriesSelection } from "../api/requests.js";

/** Query key for data of an app, with project and app at fixed positions. */
export const appQueryKey = <Q extends EntriesSelection>(kind: string, query: Q) =>
  [kind, query.project, query.app, query] as const;

/**
 * Keeps data of the same app in place while the next data loads, which avoids jumps. Never keeps data of
 * another app.
 */
export const keepOfSameApp =
  ({ project, app }: EntriesSelection) =>
  <T>(
    previous: T | undefined,
    previousQuery: { readonly queryKey: readonly unknown[] } | undefined,
  ): T | undefined => {
    const [, previousProject, previousApp] = previousQuery?.queryKey ?? [];
    return previousProject === project && previousApp === app ? previous : undefined;
  };
