import type { EntriesSelection } from "../api/requests.js";

/** The key of what is read of an app: whatever is asked for, its project and app stand at the same places. */
export const appQueryKey = <Q extends EntriesSelection>(kind: string, query: Q) =>
  [kind, query.project, query.app, query] as const;

/**
 * Keeps what was read before while something else of the same app is on its way, so that nothing jumps. What is of another
 * app is never shown in its place.
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
