import { useState } from "react";
import type { EntriesSelection } from "#console/api/requests.js";

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
