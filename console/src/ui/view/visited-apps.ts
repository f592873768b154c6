import { visitsOf, withVisit } from "#console/model/view/visits.js";

const PREFIX = "waybill.visits.";

/** The apps of a project that were visited in this browser, the last one first. */
export function visitedApps(project: string): readonly string[] {
  try {
    return visitsOf(localStorage.getItem(PREFIX + project));
  } catch {
    // The viewer may forbid storage.
    return [];
  }
}

/** Remembers the visit of an app. */
export function noteVisit(project: string, app: string): void {
  try {
    const visits = withVisit(visitedApps(project), app);
    localStorage.setItem(PREFIX + project, JSON.stringify(visits));
  } catch {
    // Goes on without, if storage is forbidden or full.
  }
}

/** Forgets all visits. */
export function forgetVisits(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // There are none if storage is forbidden.
  }
}
