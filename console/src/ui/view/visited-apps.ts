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

/** Most visits that are remembered for a project. */
const MAX_VISITS = 50;

/** Puts a visited app before those that were visited earlier. */
export const withVisit = (visits: readonly string[], app: string): readonly string[] =>
  [app, ...visits.filter((other) => other !== app)].slice(0, MAX_VISITS);

/** Reads visits from the text that remembers them; none from a text of another form. */
export function visitsOf(text: string | null): readonly string[] {
  try {
    const visits: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(visits) ? visits.filter((app) => typeof app === "string").slice(0, MAX_VISITS) : [];
  } catch {
    return [];
  }
}
